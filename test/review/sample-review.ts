import { quantityOfBytes } from '../../src/foundation/quantity.ts';
import type { PodSpec } from '../../src/kubelet/pod-spec.ts';
import { noFacts, type ReviewFacts } from '../../src/review/placed.ts';
import { reviewCapacity } from '../../src/review/review.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';

export const mi = (count: number): number => count * 1_048_576;
export const memory = (count: number) => ({ memory: quantityOfBytes(mi(count)) });

export const settings = { margin: 0.15, windowHours: 168, includesMemoryAutoscaled: false };

/** The review of one pod with a peak of 100Mi, all of it known. */
export function reviewOf(pod: Parameters<typeof podOf>[0], spec: PodSpec, facts: Partial<ReviewFacts> = {}) {
  const snapshot = snapshotOf([nodeOf({ allocatableBytes: mi(4096), pods: [podOf(pod)] })], {
    peaks: { [pod.name]: mi(100) },
  });
  return reviewCapacity(
    snapshot,
    { ...noFacts, source: 'prometheus', gaps: [], nodeCpuCores: () => 4, specOf: () => spec, ...facts },
    settings,
  );
}

/** One container, sizes in Mi. */
export const app = (request: number, limit?: number): PodSpec => ({
  containers: [
    { name: 'app', requests: memory(request), ...(limit === undefined ? {} : { limits: memory(limit) }) },
  ],
  initContainers: [],
});
