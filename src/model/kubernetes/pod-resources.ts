import type { PodStats } from '../../inputs/kubernetes/stats-summary.ts';
import { type Amount, addAmounts } from '../../kubelet/amount.ts';
import type { VolumeSpec } from '../../kubelet/disk-usage.ts';
import type { PodSpec } from '../../kubelet/pod-spec.ts';
import type { QosClass } from '../../kubelet/qos-class.ts';
import type { Pod } from '../pod.ts';

/** A pod with everything its files say of it, exact: what ranking under any pressure needs. */
export interface PodResources {
  readonly pod: Pod;
  /** With the API server's defaults, as every kubelet has it. */
  readonly spec: PodSpec;
  readonly volumes: readonly VolumeSpec[];
  /** status.qosClass; where it is not there, `pod.qosClass` is computed. */
  readonly reportedQosClass: QosClass | undefined;
  /** undefined = the kubelet has none. */
  readonly stats: PodStats | undefined;
}

/**
 * Working set in bytes: of the pod's cgroup, else the sum of its containers. Stats without a working set count as 0,
 * not as no stats (`memoryUsage` in pkg/kubelet/eviction/helpers.go).
 */
export function workingSet({ memory, containerMemory }: PodStats): Amount {
  if (memory !== undefined) return memory.workingSetBytes ?? 0;
  return containerMemory.reduce<Amount>((sum, one) => addAmounts(sum, one?.workingSetBytes ?? 0), 0);
}
