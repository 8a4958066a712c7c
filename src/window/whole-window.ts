import { formatDuration } from '../foundation/duration.ts';
import type { QueryScope } from '../inputs/scope.ts';
import { podUsageSources } from '../inputs/usage-sources.ts';
import { joinKey, podKey } from '../model/keys.ts';
import type { Pod } from '../model/pod.ts';
import type { PrometheusClient } from '../prometheus/client.ts';
import type { PeakWindowKeeper } from './peak-window.ts';

/** Asks for the whole window at each refresh: one plain `max_over_time`. Simple, and slow on large clusters. */
export function createWholeWindow(deps: {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly windowMs: number;
}): PeakWindowKeeper {
  const { client, scope, windowMs } = deps;
  return {
    async update({ evaluatedAtMs, pods, usageMetric, signal }) {
      const source = podUsageSources.find(({ metric }) => metric === usageMetric);
      const peaks = new Map<string, number>();
      if (source !== undefined) {
        const answer = await client.instant({
          id: 'pod_peak',
          query: source.peakQuery(scope, formatDuration(windowMs)),
          timeMs: evaluatedAtMs,
          ...(signal === undefined ? {} : { signal }),
        });
        for (const sample of answer.rows) {
          const key = podKey(sample, scope.labels.cadvisor);
          if (key !== undefined) peaks.set(key, sample.value);
        }
      }
      const peakOf = (pod: Pod): number | undefined =>
        peaks.get(joinKey(pod.cluster, pod.namespace, pod.name));
      const workloadPeaks = new Map<string, number>();
      for (const pod of pods) {
        const key = joinKey(pod.cluster, pod.namespace, pod.workload.kind, pod.workload.name);
        workloadPeaks.set(key, Math.max(workloadPeaks.get(key) ?? 0, peakOf(pod) ?? 0));
      }
      return {
        coverageRatio: source === undefined ? 0 : 1,
        podPeak(pod) {
          const peakBytes = peakOf(pod);
          return peakBytes === undefined ? undefined : { peakBytes, timeOverRequestRatio: undefined };
        },
        workloadPeakBytes: ({ cluster, namespace, kind, name }) =>
          workloadPeaks.get(joinKey(cluster, namespace, kind, name)) || undefined,
        observedHours: () => undefined,
      };
    },
  };
}
