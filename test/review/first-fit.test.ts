import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packFirstFit } from '../../src/review/first-fit.ts';

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
});
