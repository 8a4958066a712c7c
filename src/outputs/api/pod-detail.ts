import type { RankedNode, RankedPod } from '../../snapshot/snapshot.ts';
import { clusterField, type LadderPod, ladderPodOf } from './ladder.ts';

export interface PodDetail {
  readonly cluster?: string;
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string | null;
  readonly node: string;
  readonly priorityClass: string | null;
  readonly workload: { readonly kind: string; readonly name: string };
  /** Pods on the node that have a rank. */
  readonly rankedPodsOnNode: number;
  readonly timeOverRequestRatio: number | null;
  readonly now: LadderPod;
  readonly peak: LadderPod;
}

export function podDetail({ ranked, node }: { ranked: RankedPod; node: RankedNode }): PodDetail {
  const { pod } = ranked;
  return {
    ...clusterField(pod.cluster),
    namespace: pod.namespace,
    pod: pod.name,
    uid: pod.uid ?? null,
    node: pod.node,
    priorityClass: pod.priorityClass ?? null,
    workload: { kind: pod.workload.kind, name: pod.workload.name },
    rankedPodsOnNode: node.pods.filter(({ now }) => now.rank !== undefined).length,
    timeOverRequestRatio: ranked.timeOverRequestRatio ?? null,
    now: ladderPodOf(ranked, 'now'),
    peak: ladderPodOf(ranked, 'peak'),
  };
}
