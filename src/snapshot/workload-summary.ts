import { compareText } from '../foundation/text-order.ts';
import { joinKey } from '../model/keys.ts';
import type { WorkloadKey } from '../model/pod.ts';
import { recommendRequestBytes } from '../review/recommendation.ts';
import type { PeakWindow } from '../window/peak-window.ts';
import type { RankedNode, WorkloadSummary } from './snapshot.ts';

interface Tally {
  readonly workload: WorkloadKey;
  replicas: number;
  requestBytes: number | undefined;
}

/** One row per workload with live pods, sorted by cluster, namespace, kind, name. */
export function summarizeWorkloads(
  nodes: readonly RankedNode[],
  window: PeakWindow,
  requestMargin: number,
): WorkloadSummary[] {
  const tallies = new Map<string, Tally>();
  for (const { pods } of nodes) {
    for (const { pod } of pods) {
      const { cluster, namespace, workload, requestBytes } = pod;
      const key = joinKey(cluster, namespace, workload.kind, workload.name);
      const tally = tallies.get(key) ?? {
        workload: { cluster, namespace, ...workload },
        replicas: 0,
        requestBytes: undefined,
      };
      tally.replicas++;
      if (requestBytes !== undefined) tally.requestBytes = Math.max(tally.requestBytes ?? 0, requestBytes);
      tallies.set(key, tally);
    }
  }
  return [...tallies.values()]
    .map((tally) => {
      const peakBytes = window.workloadPeakBytes(tally.workload);
      return {
        ...tally,
        peakBytes,
        recommendedRequestBytes: recommendRequestBytes({
          peakBytes,
          margin: requestMargin,
          observedHours: window.observedHours(tally.workload),
        }),
      };
    })
    .sort((a, b) => compareWorkloads(a.workload, b.workload));
}

function compareWorkloads(a: WorkloadKey, b: WorkloadKey): number {
  return (
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name)
  );
}
