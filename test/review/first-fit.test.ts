import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NodeRoom, type Packing, type PodDemand, packFirstFit } from '../../src/review/first-fit.ts';

const pod = (memoryBytes: number, cpuCores = 0) => ({ memoryBytes, cpuCores });

describe('the estimate of nodes', () => {
  test.each([
    ['fills one node before the next', [pod(4), pod(4), pod(4)], [pod(8, 1), pod(8, 1)], 2, 0],
    ['takes the larger nodes first', [pod(4), pod(4)], [pod(4, 1), pod(8, 1)], 1, 0],
    ['minds cpu, too', [pod(1, 1), pod(1, 1)], [pod(8, 1), pod(8, 1)], 2, 0],
    ['tells what fits nowhere', [pod(9), pod(1)], [pod(8, 1)], 1, 1],
    ['needs no node for no pod', [], [pod(8, 1)], 0, 0],
  ])('%s', (_what, pods, nodes, used, unplaced) => {
    expect(packFirstFit(pods, nodes)).toEqual({ nodes: used, unplaced });
  });

  test('never uses fewer nodes than the sum of memory needs, and loses no pod', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 20 }), (pods, count) => {
        const nodes = Array.from({ length: count }, () => pod(10, 1));
        const { nodes: used, unplaced } = packFirstFit(
          pods.map((size) => pod(size)),
          nodes,
        );
        const sum = pods.reduce((a, b) => a + b, 0);
        if (unplaced === 0) expect(used).toBeGreaterThanOrEqual(Math.ceil(sum / 10));
        else expect(used).toBe(count);
      }),
    );
  });

  test('is that of going through the nodes one by one', () => {
    const amount = fc.integer({ min: 0, max: 10 });
    const both = fc.record({ memoryBytes: amount, cpuCores: amount });
    fc.assert(
      fc.property(fc.array(both, { maxLength: 40 }), fc.array(both, { maxLength: 20 }), (pods, nodes) => {
        expect(packFirstFit(pods, nodes)).toEqual(packOneByOne(pods, nodes));
      }),
    );
  });

  test('takes no minutes for the largest cluster that Kubernetes is made for', () => {
    const pods = Array.from({ length: 150_000 }, (_, i) => pod(100 + (i % 1_900), (i % 97) / 120));
    const nodes = Array.from({ length: 5_000 }, () => pod(64_000, 16));
    const startedAt = performance.now();
    expect(packFirstFit(pods, nodes).unplaced).toBe(0);
    // Some 0.2 s; room by room it takes more than a minute.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

function packOneByOne(pods: readonly PodDemand[], nodes: readonly NodeRoom[]): Packing {
  const rooms = nodes
    .toSorted((a, b) => b.memoryBytes - a.memoryBytes || b.cpuCores - a.cpuCores)
    .map((room) => ({ ...room, isUsed: false }));
  let unplaced = 0;
  for (const { memoryBytes, cpuCores } of pods.toSorted((a, b) => b.memoryBytes - a.memoryBytes)) {
    const room = rooms.find((one) => one.memoryBytes >= memoryBytes && one.cpuCores >= cpuCores);
    if (room === undefined) {
      unplaced++;
      continue;
    }
    room.memoryBytes -= memoryBytes;
    room.cpuCores -= cpuCores;
    room.isUsed = true;
  }
  return { nodes: rooms.filter(({ isUsed }) => isUsed).length, unplaced };
}
