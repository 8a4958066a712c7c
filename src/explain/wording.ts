/** Numbers and names as the sentences of an explanation say them. */
import { formatBytes } from '../foundation/byte-text.ts';

const ORDINALS = [
  '',
  'First',
  'Second',
  'Third',
  'Fourth',
  'Fifth',
  'Sixth',
  'Seventh',
  'Eighth',
  'Ninth',
  'Tenth',
];
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MIB = 2 ** 20;

/** `First` … `Tenth`, then `11th`, `22nd`. */
export function ordinalWord(rank: number): string {
  return ORDINALS[rank] ?? ordinal(rank);
}

/** `1st`, `2nd`, `11th`. */
export function ordinal(rank: number): string {
  const isTeen = rank % 100 >= 11 && rank % 100 <= 13;
  const suffix = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th');
  return `${rank}${suffix}`;
}

/** `1 pod`, `3 pods`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A size to read; the sign is left to the sentence. */
export function size(bytes: number): string {
  return formatBytes(Math.abs(bytes));
}

/** Below this share of the larger one, rounding makes two sizes hard to tell apart. */
const LOOK_ALIKE = 0.01;
const MOST_DECIMALS = 3;

/** Two sizes that are compared with each other: where rounding would hide the difference, with more digits. */
export function sizesApart(a: number, b: number): readonly [string, string] {
  const [first, second] = [Math.abs(a), Math.abs(b)];
  const gap = Math.abs(first - second);
  const isHidden = gap > 0 && gap < LOOK_ALIKE * Math.max(first, second);
  if (!isHidden) return [size(a), size(b)];
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    const [firstText, secondText] = [first, second].map((bytes) => `${(bytes / MIB).toFixed(decimals)}Mi`);
    if (firstText !== undefined && secondText !== undefined && firstText !== secondText) {
      return [firstText, secondText];
    }
  }
  return [`${first} bytes`, `${second} bytes`];
}

/** A quantity to put into a manifest that is at least so many bytes: in whole Mi from 10Mi on, else in bytes. */
export function requestText(bytes: number): string {
  return bytes >= 10 * MIB ? `${Math.ceil(bytes / MIB)}Mi` : `${Math.ceil(bytes)}`;
}

/** `7-day`, `36-hour`. */
export function windowName(seconds: number): string {
  return seconds % DAY_SECONDS === 0
    ? `${seconds / DAY_SECONDS}-day`
    : `${Math.round(seconds / HOUR_SECONDS)}-hour`;
}

/** `a, b and c`; at most `limit` are named, the rest counted. */
export function enumerate(names: readonly string[], limit = 5): string {
  const shown = names.length > limit ? [...names.slice(0, limit), `${names.length - limit} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
