import { describe, expect, it } from 'vitest';
import { joinSnapshot, splitSnapshot } from '../../src/snapshot/transfer.ts';
import { nodeOf, podOf, snapshotOf } from './sample-snapshot.ts';

const podsOn = (node: string, count: number) =>
  Array.from({ length: count }, (_, i) => podOf({ name: `p${i}`, node }));

describe('a snapshot between threads', () => {
  it.each([
    ['without nodes', []],
    ['of empty nodes', [0, 0, 0]],
    ['of one huge node', [5000]],
    ['of many nodes', Array.from({ length: 200 }, (_, i) => i % 60)],
  ])('%s arrives as it left, frozen', (_name, sizes) => {
    const nodes = sizes.map((count, i) => nodeOf({ name: `n${i}`, pods: podsOn(`n${i}`, count) }));
    const snapshot = snapshotOf(nodes);
    const { head, pieces } = structuredClone(splitSnapshot(snapshot));
    const joined = joinSnapshot(head, pieces);
    expect(joined).toEqual(snapshot);
    expect(Object.isFrozen(joined) && Object.isFrozen(joined.nodes)).toBe(true);
  });

  it('travels in pieces of a few hundred pods', () => {
    const nodes = Array.from({ length: 300 }, (_, i) => nodeOf({ name: `n${i}`, pods: podsOn(`n${i}`, 30) }));
    const sizes = splitSnapshot(snapshotOf(nodes)).pieces.map((piece) =>
      piece.nodes.reduce((sum, { pods }) => sum + pods.length, 0),
    );
    expect(sizes.length).toBeGreaterThan(10);
    expect(Math.max(...sizes)).toBeLessThan(500);
  });
});
