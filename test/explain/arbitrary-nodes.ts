import * as fc from 'fast-check';
import type { Node } from '../../src/model/node.ts';
import type { Pod } from '../../src/model/pod.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';

/** Small ranges on purpose: ties, equal priorities and pods exactly at their request must happen often. */
const arbitraryPod: fc.Arbitrary<Pod> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    namespace: fc.constantFrom('x', 'y'),
    priority: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -1, max: 1 }) },
      { weight: 1, arbitrary: fc.constant(2_000_000_000) },
    ),
    usageBytes: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined, freq: 6 }),
    requestBytes: fc.integer({ min: 0, max: 5 }),
    isStatic: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    phase: fc.constantFrom('Running' as const, 'Pending' as const),
  })
  .map(podOf);

export const arbitraryNode: fc.Arbitrary<Node> = fc
  .record({
    pods: fc.uniqueArray(arbitraryPod, {
      selector: ({ namespace, name }) => `${namespace}/${name}`,
      minLength: 1,
      maxLength: 10,
    }),
    workingSetBytes: fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined, freq: 8 }),
  })
  .map(({ pods, workingSetBytes }) =>
    nodeOf({ pods, workingSetBytes, capacityBytes: 100, allocatableBytes: 40 }),
  );

/** One node, some pods with a peak above their present usage; 2 % of the capacity is the threshold. */
export const arbitrarySnapshot: fc.Arbitrary<Snapshot> = fc
  .tuple(arbitraryNode, fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 9 })))
  .map(([node, peaks]) =>
    snapshotOf([node], { peaks, settings: { threshold: { percentage: Math.fround(0.02) } } }),
  );
