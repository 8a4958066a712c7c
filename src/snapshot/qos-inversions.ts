import type { QosClass } from '../kubelet/qos-class.ts';
import type { RankedPod } from './snapshot.ts';

const qosOrder: Readonly<Record<QosClass, number>> = { BestEffort: 0, Burstable: 1, Guaranteed: 2 };

/** Pods that go before at least one pod of a lower class: what an order by QoS class would get wrong. */
export function countQosInversions(pods: readonly RankedPod[]): number {
  const evictable = pods.filter(({ now }) => now.rank !== undefined);
  let lowestBehind = Number.POSITIVE_INFINITY;
  let inversions = 0;
  for (let i = evictable.length - 1; i >= 0; ) {
    // Tied pods do not stand before each other, so a whole rank is looked at before it counts as behind.
    const rank = evictable[i]?.now.rank;
    let lowestOfRank = Number.POSITIVE_INFINITY;
    for (; i >= 0 && evictable[i]?.now.rank === rank; i--) {
      const qosClass = evictable[i]?.pod.qosClass;
      if (qosClass === undefined) continue;
      if (qosOrder[qosClass] > lowestBehind) inversions++;
      lowestOfRank = Math.min(lowestOfRank, qosOrder[qosClass]);
    }
    lowestBehind = Math.min(lowestBehind, lowestOfRank);
  }
  return inversions;
}
