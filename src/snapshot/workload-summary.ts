import { compareText } from '../foundation/text-order.ts';
import type { Cluster } from '../model/cluster.ts';
import { joinKey } from '../model/keys.ts';
import type { Pod, WorkloadKey, WorkloadRef } from '../model/pod.ts';
import { workloadText } from '../model/sizing-facts.ts';
import { summarizeHourlyPeaks } from '../review/hourly-peaks.ts';
import { recommendRequest } from '../review/recommendation.ts';
import type { PeakWindow } from '../window/peak-window.ts';
import type { SizingKnowledge } from './sizing-keeper.ts';
import type { RankedNode, WorkloadSummary } from './snapshot.ts';

interface Tally {
  readonly workload: WorkloadKey;
  readonly isStatic: boolean;
  replicas: number;
  seenReplicas: number;
  requestBytes: number | undefined;
}

interface SizingParts {
  readonly window: PeakWindow;
  readonly sizing: SizingKnowledge;
  readonly initNeedBytes: Cluster['initNeedBytes'];
}

/** One row per workload with live pods, sorted by cluster, namespace, kind, name. */
export function summarizeWorkloads(
  nodes: readonly RankedNode[],
  known: SizingParts,
  margin: number,
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
      count(tally, pod);
    }
  }
  return [...tallies.values()]
    .map((tally) => summarize(tally, known, margin))
    .sort((a, b) => compareWorkloads(a.workload, b.workload));
}

function tallyOf({ cluster, namespace, workload, isStatic }: Pod, tallies: Map<string, Tally>): Tally {
  const key = joinKey(cluster, namespace, workload.kind, workload.name);
  const tally = tallies.get(key) ?? {
    workload: { cluster, namespace, ...workload },
    isStatic,
    replicas: 0,
    seenReplicas: 0,
    requestBytes: undefined,
  };
  tallies.set(key, tally);
  return tally;
}

function count(tally: Tally, { requestBytes, usageBytes, phase }: Pod): void {
  tally.replicas++;
  if (requestBytes === undefined) return;
  // A Pending pod has not started; that it has no usage is no gap.
  if (usageBytes !== undefined || phase === 'Pending') tally.seenReplicas++;
  tally.requestBytes = Math.max(tally.requestBytes ?? 0, requestBytes);
}

function summarize(
  tally: Tally,
  { window, sizing, initNeedBytes }: SizingParts,
  margin: number,
): WorkloadSummary {
  const { workload, requestBytes } = tally;
  const hours = window.workloadHours(workload);
  const hourly = hours === undefined ? undefined : summarizeHourlyPeaks(hours, requestBytes);
  const leak = sizing.leakOf(workload);
  const known = {
    ...tally,
    hourly,
    oomKills: sizing.oomKills(workload),
    hasMemoryAutoscaler: sizing.hasMemoryAutoscaler(workload),
    initNeedBytes: initNeedBytes.get(workloadText(workload)),
  };
  const { requestBytes: recommendedRequestBytes, abstention } = recommendRequest({
    ...known,
    kind: workload.kind,
    isLeaking: leak !== undefined,
    margin,
  });
  return { ...known, leak, peakBytes: hourly?.peakBytes, recommendedRequestBytes, abstention };
}

function compareWorkloads(a: WorkloadKey, b: WorkloadKey): number {
  return (
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.kind, b.kind) ||
    compareText(a.name, b.name)
  );
}
