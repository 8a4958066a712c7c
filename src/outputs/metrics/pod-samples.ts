import type { Basis, RankedPod } from '../../snapshot/snapshot.ts';
import type { MetricKey } from './catalogue.ts';
import { type Emit, label } from './exposition.ts';

export type PodMetricKey = Extract<MetricKey, `pod${string}`>;

const bases = ['now', 'peak'] as const satisfies readonly Basis[];

function onEachBasis(value: (pod: RankedPod, basis: Basis) => number | undefined) {
  return (pod: RankedPod, identity: string, emit: Emit): void => {
    for (const basis of bases) emit(`${identity},basis="${basis}"`, value(pod, basis));
  };
}

function once(value: (pod: RankedPod) => number | undefined) {
  return (pod: RankedPod, identity: string, emit: Emit): void => emit(identity, value(pod));
}

/** What each pod family says of one pod. `identity` holds the labels that every one of them starts with. */
export const podSamples: Readonly<
  Record<PodMetricKey, (pod: RankedPod, identity: string, emit: Emit) => void>
> = {
  podEvictionRiskRank: onEachBasis((pod, basis) => pod[basis].rank),
  podComparatorGroup: (pod, identity, emit) => {
    for (const basis of bases) {
      const { group } = pod[basis];
      if (group !== undefined) emit(`${identity},basis="${basis}",group="${group}"`, 1);
    }
  },
  podEvictionDistance: once((pod) => pod.distanceBytes),
  podMemoryUsage: once((pod) => pod.now.usageBytes),
  podMemoryPeak: once((pod) => pod.peak.usageBytes),
  podMemoryRequest: once(({ pod }) => pod.requestBytes),
  podMemoryOverRequest: onEachBasis((pod, basis) => pod[basis].overRequestBytes),
  podMemoryUsageRequestRatio: onEachBasis((pod, basis) => pod[basis].usageRequestRatio),
  podTimeOverRequest: once((pod) => pod.timeOverRequestRatio),
  podInfo: ({ pod }, identity, emit) => {
    const facts = [
      label('uid', pod.uid ?? ''),
      label('qos_class', pod.qosClass ?? ''),
      `priority="${pod.priority}"`,
      label('priority_class', pod.priorityClass ?? ''),
      label('workload_kind', pod.workload.kind),
      label('workload', pod.workload.name),
    ];
    emit(`${identity},${facts.join(',')}`, 1);
  },
};
