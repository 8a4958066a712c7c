import type { ComparatorGroup } from '../kubelet/candidate.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import type { QosClass } from '../kubelet/qos-class.ts';
import type { RankedPod } from './snapshot.ts';

/** The pods of a node in sum (basis now), so that a list of nodes need not look at every pod of the cluster. */
export interface PodCounts {
  readonly pods: number;
  /** Of those, static, mirror and critical ones: known without a ranking. */
  readonly protectedPods: number;
  /** Empty where the node is not ranked. */
  readonly groups: Readonly<Partial<Record<ComparatorGroup, number>>>;
  /** Memory the pods of each group use; empty where the node is not ranked. */
  readonly groupUsageBytes: Readonly<Partial<Record<ComparatorGroup, number>>>;
  /** As far as the class is known. */
  readonly qosClasses: Readonly<Partial<Record<QosClass, number>>>;
  /** The pod the kubelet would take first; undefined where the node is not ranked or nothing can be evicted. */
  readonly firstToGo: { readonly namespace: string; readonly pod: string } | undefined;
}

export function countPods(pods: readonly RankedPod[]): PodCounts {
  const groups: Partial<Record<ComparatorGroup, number>> = {};
  const groupUsageBytes: Partial<Record<ComparatorGroup, number>> = {};
  const qosClasses: Partial<Record<QosClass, number>> = {};
  for (const { pod, now } of pods) {
    if (pod.qosClass !== undefined) qosClasses[pod.qosClass] = (qosClasses[pod.qosClass] ?? 0) + 1;
    if (now.group === undefined) continue;
    groups[now.group] = (groups[now.group] ?? 0) + 1;
    groupUsageBytes[now.group] = (groupUsageBytes[now.group] ?? 0) + (now.usageBytes ?? 0);
  }
  const first = pods.find(({ now }) => now.rank === 1)?.pod;
  return {
    pods: pods.length,
    protectedPods: pods.filter(({ pod }) => isCriticalPod(pod)).length,
    groups,
    groupUsageBytes,
    qosClasses,
    firstToGo: first === undefined ? undefined : { namespace: first.namespace, pod: first.name },
  };
}
