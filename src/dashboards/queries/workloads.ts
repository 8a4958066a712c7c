import { type MetricFamily, metrics } from '../../outputs/metrics/catalogue.ts';
import { keys, one, select, where } from './selector.ts';

/** One value a workload: of each of its pods, but for the number of replicas. */
export function workloadValue(family: MetricFamily): string {
  return one(keys.workload, select(family, where.namespaces));
}

/** A per-pod value of the workload times its replicas. */
export function allReplicas(perPod: string): string {
  return `(${perPod}) * on (${keys.workload}) ${workloadValue(metrics.workloadReplicas)}`;
}

const request = workloadValue(metrics.workloadMemoryRequest);
const recommended = workloadValue(metrics.workloadMemoryRecommendedRequest);

/** Request beyond the recommendation, all replicas: memory the scheduler keeps free for nothing. */
export const reclaimable: string = allReplicas(
  `clamp_min(${request} - on (${keys.workload}) ${recommended}, 0)`,
);
/** Recommendation beyond the request, all replicas: memory that is used but not asked for. */
export const missing: string = allReplicas(`clamp_min(${recommended} - on (${keys.workload}) ${request}, 0)`);

const oversized = `topk(200, ${reclaimable} > 0)`;
const undersized = `topk(200, ${missing} > 0)`;

export const sizing = {
  oversized,
  undersized,
  onlyOversized: (vector: string): string => `${vector} and on (${keys.workload}) ${oversized}`,
  onlyUndersized: (vector: string): string => `${vector} and on (${keys.workload}) ${undersized}`,
} as const;

export function byNamespace(vector: string): string {
  return `sum by (${keys.namespace}) (${vector})`;
}
