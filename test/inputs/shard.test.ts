import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Shard,
  shardMatchers,
  splitIntoShards,
  splitShard,
  wholeShard,
} from '../../src/inputs/shard.ts';
import { assertProperty } from '../property.ts';

const keys = { cluster: undefined, namespace: 'namespace', pod: 'pod', container: 'c', node: 'n', uid: 'u' };

function podsOf(names: Readonly<Record<string, number>>): Map<string, string[]> {
  return new Map(
    Object.entries(names).map(([namespace, count]) => [
      namespace,
      Array.from({ length: count }, (_, i) => `pod-${i}`),
    ]),
  );
}

/** Reads matchers as Prometheus does: anchored at both ends. */
function selects(shard: Shard, namespace: string, pod: string): boolean {
  return shardMatchers(shard, keys, { pods: true }).every((matcher) => {
    const match = /^(namespace|pod)(=~|!~)(".*")$/.exec(matcher);
    if (match === null) throw new Error(`not a matcher: ${matcher}`);
    const [, label, operator, quoted = ''] = match;
    const value = label === 'pod' ? pod : namespace;
    return new RegExp(`^(?:${JSON.parse(quoted) as string})$`).test(value) === (operator === '=~');
  });
}

describe('a shard', () => {
  it('splits by what follows the common beginning of the namespaces', () => {
    const halves = splitShard(wholeShard, podsOf({ 'team-a': 5, 'team-b': 3, 'team-c': 2 }));
    expect(halves?.map((half) => shardMatchers(half, keys, { pods: true }))).toEqual([
      ['namespace=~"team\\\\-[a].*"'],
      ['namespace!~"team\\\\-[a].*"'],
    ]);
  });

  it('splits by pod name once only one namespace is left', () => {
    const halves = splitShard(wholeShard, podsOf({ default: 2 }));
    expect(halves?.map((half) => shardMatchers(half, keys, { pods: true }))).toEqual([
      ['pod=~"pod\\\\-[0].*"'],
      ['pod!~"pod\\\\-[0].*"'],
    ]);
    expect(halves?.map((half) => shardMatchers(half, keys, { pods: false }))).toEqual([[], []]);
  });

  it('cannot be split where one name is left', () => {
    expect(splitShard(wholeShard, podsOf({ default: 1 }))).toBeUndefined();
    expect(splitShard(wholeShard, new Map())).toBeUndefined();
  });

  it('stays short however many namespaces there are', () => {
    const names = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`customer-${i}-production`, 2]),
    );
    const shards = splitIntoShards(64, podsOf(names));
    expect(shards.length).toBeGreaterThanOrEqual(64);
    const longest = Math.max(
      ...shards.map((shard) => shardMatchers(shard, keys, { pods: true }).join().length),
    );
    expect(longest).toBeLessThan(1_000);
    const sizes = shards.map(
      (shard) => Object.keys(names).filter((namespace) => selects(shard, namespace, 'pod-0')).length,
    );
    expect(Math.max(...sizes)).toBeLessThan(5_000 / 16);
  });

  it('has halves of which every name, known or not, is in exactly one', () => {
    const name = fc.oneof(
      fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,6}[a-z0-9])?$/),
      fc.constantFrom('a', 'aa', 'a-', 'a.b', 'ab', 'b', '', 'x]y', 'x^y', 'x\\y', 'ü'),
    );
    assertProperty(
      fc.property(
        fc.dictionary(name, fc.uniqueArray(name, { maxLength: 6 }), { maxKeys: 8 }),
        fc.array(fc.tuple(name, name), { maxLength: 20 }),
        fc.integer({ min: 1, max: 12 }),
        (known, others, count) => {
          const shards = splitIntoShards(count, new Map(Object.entries(known)));
          const pods = Object.entries(known).flatMap(([namespace, names]) =>
            names.map((pod): [string, string] => [namespace, pod]),
          );
          for (const [namespace, pod] of [...pods, ...others]) {
            expect(shards.filter((shard) => selects(shard, namespace, pod))).toHaveLength(1);
          }
        },
      ),
    );
  });
});
