import { compareText } from '../foundation/text-order.ts';
import { joinKey } from '../model/keys.ts';
import type { Pod, WorkloadKey, WorkloadRef } from '../model/pod.ts';
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
  // The pods of one workload mostly share one object, which is found faster than a text.
  const byObject = new Map<WorkloadRef, Tally>();
  for (const { pods } of nodes) {
    for (const { pod } of pods) {
      let tally = byObject.get(pod.workload);
      if (tally?.workload.namespace !== pod.namespace || tally.workload.cluster !== pod.cluster) {
        tally = tallyOf(pod, tallies);
        byObject.set(pod.workload, tally);
      }
      tally.replicas++;
      if (pod.requestBytes !== undefined) {
        tally.requestBytes = Math.max(tally.requestBytes ?? 0, pod.requestBytes);
      }
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

function tallyOf({ cluster, namespace, workload }: Pod, tallies: Map<string, Tally>): Tally {
  const key = joinKey(cluster, namespace, workload.kind, workload.name);
  const tally = tallies.get(key) ?? {
    workload: { cluster, namespace, ...workload },
    replicas: 0,
    requestBytes: undefined,
  };
  tallies.set(key, tally);
  return tally;
}

function compareWorkloads(a: WorkloadKey, b: WorkloadKey): number {
  return (
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name)
  );
}
