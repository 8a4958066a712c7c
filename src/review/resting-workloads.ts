import { joinKey } from '../model/keys.ts';
import { summarizeHourlyPeaks } from './hourly-peaks.ts';
import type { ReviewFacts, SummarizedWorkload } from './placed.ts';

/** CronJobs between two runs: they have no pod now, but a request, and peaks in the window. */
export function restingWorkloads(
  workloads: readonly SummarizedWorkload[],
  { restingCronJobs, workloadHours, oomKills, hasMemoryAutoscaler }: ReviewFacts,
): SummarizedWorkload[] {
  const keyOf = ({ workload: { cluster, namespace, kind, name } }: Pick<SummarizedWorkload, 'workload'>) =>
    joinKey(cluster, namespace, kind, name);
  const living = new Set(workloads.map(keyOf));
  return restingCronJobs
    .filter((one) => !living.has(keyOf(one)))
    .map(({ workload, requestBytes }) => ({
      workload,
      isStatic: false,
      replicas: 0,
      seenReplicas: 0,
      requestBytes,
      hourly: summarizeHourlyPeaks(workloadHours(workload) ?? [], requestBytes),
      oomKills: oomKills(workload),
      hasMemoryAutoscaler: hasMemoryAutoscaler(workload),
      initNeedBytes: undefined,
      leak: undefined,
    }));
}
