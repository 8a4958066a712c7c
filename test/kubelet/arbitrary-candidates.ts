import * as fc from 'fast-check';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import { diskPolicy, inodesPolicy, memoryPolicy, pidPolicy } from '../../src/kubelet/policies.ts';

/** Small ranges on purpose: equal priorities, ties and pods exactly at their request must happen often. */
export const arbitraryCandidate: fc.Arbitrary<EvictionCandidate> = fc.record({
  namespace: fc.constantFrom('a', 'b'),
  name: fc.string({ minLength: 1, maxLength: 3 }),
  priority: fc.integer({ min: -2, max: 2 }),
  usage: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined, freq: 6 }),
  request: fc.integer({ min: 0, max: 6 }),
  isProtected: fc.boolean(),
});

/** The pods of one node: namespace and name identify each. */
export const arbitraryCandidates: fc.Arbitrary<EvictionCandidate[]> = fc.uniqueArray(arbitraryCandidate, {
  selector: ({ namespace, name }) => `${namespace}/${name}`,
  minLength: 1,
  maxLength: 12,
});

export const arbitraryPolicy = fc.constantFrom(memoryPolicy, diskPolicy, inodesPolicy, pidPolicy);
