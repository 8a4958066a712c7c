/**
 * Everything random in the synthetic cluster is a function of a text key: the same options give the same cluster,
 * whatever order things are built in.
 */

/** 32-bit FNV-1a with a final mix, so that keys which differ in their last letter are far apart. */
export function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
}

/** A number from 0 (included) to 1 (not included). */
export function randomOf(key: string): number {
  return hashOf(key) / 0x1_0000_0000;
}

/** Random number for the `step`-th step of a sequence; cheaper than building a key for each. */
export function randomStep(seed: number, step: number): number {
  return mix(seed ^ Math.imul(step, 0x9e3779b1)) / 0x1_0000_0000;
}

export function hexOf(key: string, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += hashOf(`${key}#${part}`).toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
}

/** In the form of a version 4 UUID. */
export function uidOf(key: string): string {
  const hex = hexOf(key, 32);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The letters Kubernetes builds name suffixes from (apimachinery `pkg/util/rand/rand.go`). */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

export function suffixOf(key: string, length: number): string {
  return Array.from({ length }, (_, index) =>
    suffixLetters.charAt(hashOf(`${key}~${index}`) % suffixLetters.length),
  ).join('');
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
