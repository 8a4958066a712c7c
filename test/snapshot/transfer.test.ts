import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { createSnapshotAssembly, splitSnapshot } from '../../src/snapshot/transfer.ts';
import { nodeOf, podOf, snapshotOf } from './sample-snapshot.ts';

const podsOn = (node: string, count: number) =>
  Array.from({ length: count }, (_, i) => podOf({ name: `p${i}`, node }));

/** As the other thread has it. */
function sent(snapshot: Snapshot): Snapshot {
  const { head, pieces } = splitSnapshot(snapshot);
  const assembly = createSnapshotAssembly();
  for (const piece of pieces) assembly.add(structuredClone(piece));
  return assembly.finish(structuredClone(head, { transfer: [head.figures.buffer] }));
}

describe('a snapshot between threads', () => {
  it.each([
    ['without nodes', []],
    ['of empty nodes', [0, 0, 0]],
    ['of one huge node', [5000]],
    ['of many nodes', Array.from({ length: 200 }, (_, i) => i % 60)],
  ])('%s arrives as it left, frozen', (_name, sizes) => {
    const nodes = sizes.map((count, i) => nodeOf({ name: `n${i}`, pods: podsOn(`n${i}`, count) }));
    const snapshot = snapshotOf(nodes);
    const joined = sent(snapshot);
    expect(joined).toEqual(snapshot);
    expect(Object.isFrozen(joined) && Object.isFrozen(joined.nodes)).toBe(true);
  });

  it('keeps every field of its pods, known or not', () => {
    const pods = [
      podOf({
        cluster: 'eu',
        name: 'full',
        usageBytes: 300,
        requestBytes: 200,
        priority: -5,
        priorityClass: 'low',
      }),
      podOf({ name: 'bare', uid: undefined, qosClass: undefined, usageBytes: undefined, requestBytes: 0 }),
      podOf({ name: 'static', isStatic: true, phase: 'Pending', workload: { kind: 'Node', name: 'n' } }),
      podOf({ name: 'unknown', requestBytes: undefined }),
      podOf({ name: 'exact', usageBytes: 2 ** 53 - 1, requestBytes: 0.5 }),
    ];
    const snapshot = snapshotOf(
      [
        nodeOf({ pods: pods.slice(0, 3) }),
        nodeOf({ name: 'n2', pods: pods.slice(3) }),
        nodeOf({ name: 'n3', pods: pods.slice(4) }),
      ],
      { peaks: { full: 700, exact: 3 } },
    );
    expect(sent(snapshot).nodes.map(({ pods: joined }) => joined)).toStrictEqual(
      snapshot.nodes.map(({ pods: before }) => before),
    );
  });

  it('gives the same objects whenever its pods are looked at', () => {
    const [node] = sent(snapshotOf([nodeOf({ pods: podsOn('n1', 3) })])).nodes;
    expect(node?.pods[1]).toBe(node?.pods[1]);
  });

  it('travels in small pieces, its figures apart', () => {
    const nodes = Array.from({ length: 300 }, (_, i) => nodeOf({ name: `n${i}`, pods: podsOn(`n${i}`, 30) }));
    const { head, pieces } = splitSnapshot(snapshotOf(nodes));
    expect(pieces.flatMap(({ texts }) => texts).length).toBeGreaterThan(9_000);
    expect(Math.max(...pieces.map((piece) => JSON.stringify(piece).length))).toBeLessThan(300_000);
    expect(JSON.stringify(head.rest).length).toBeLessThan(2_000);
  });
});
