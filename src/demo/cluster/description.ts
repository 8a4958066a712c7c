import type { QosClass } from '../../kubelet/qos-class.ts';
import type { WorkloadRef } from '../../model/pod.ts';
import type { Curve } from './curves.ts';

export interface Resources {
  readonly memoryBytes?: number | undefined;
  readonly cpuCores?: number | undefined;
}

/** `sidecar` = an init container with restartPolicy Always; it runs as long as the pod. */
export type ContainerRole = 'main' | 'init' | 'sidecar';

export interface Restart {
  readonly atMs: number;
  readonly reason: 'OOMKilled' | 'Error';
}

export interface DemoContainer {
  readonly name: string;
  readonly image: string;
  readonly role: ContainerRole;
  /** As in the API after its defaulting: a request that is missing beside a limit is the limit. */
  readonly requests: Resources;
  readonly limits: Resources;
  /** Working set while the pod runs; undefined for a plain init container, which has ended. */
  readonly usageAt: Curve | undefined;
  /** Ascending. */
  readonly restarts: readonly Restart[];
}

/** A pod that does not run any more but is still in the API. */
export interface PodEnd {
  readonly atMs: number;
  readonly phase: 'Succeeded' | 'Failed';
  readonly reason?: 'Evicted';
}

export interface DemoPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** undefined = not scheduled. */
  readonly node: string | undefined;
  readonly priorityClass: string | undefined;
  readonly priority: number;
  /** Controller named in the pod: ReplicaSet, StatefulSet, DaemonSet, Job, Node; undefined for a bare pod. */
  readonly owner: WorkloadRef | undefined;
  /** The end of the owner chain; a bare pod is its own. */
  readonly workload: WorkloadRef;
  readonly qosClass: QosClass;
  /** Effective memory request, as the kubelet computes it. */
  readonly requestBytes: number;
  readonly overheadBytes: number | undefined;
  readonly runtimeClass: string | undefined;
  readonly isHostNetwork: boolean;
  /** False: cAdvisor knows nothing of the pod. */
  readonly hasStats: boolean;
  readonly createdMs: number;
  readonly end: PodEnd | undefined;
  /** When it vanished from the API; undefined = it is there for good. */
  readonly deletedMs: number | undefined;
  /** True: its kube-state-metrics series end without a staleness marker and stay fresh for five minutes. */
  readonly endsUnmarked: boolean;
  /** Which special case it belongs to; undefined = an ordinary pod. */
  readonly specialCase: string | undefined;
  readonly containers: readonly DemoContainer[];
}

export type MemorySignal = 'memory.available' | 'allocatableMemory.available';

export interface DemoNode {
  readonly name: string;
  readonly ip: string;
  readonly capacityBytes: number;
  readonly allocatableBytes: number;
  readonly cpuCores: number;
  /** Memory in use outside pods. Without `availableAt` it decides the available memory. */
  readonly systemAt: Curve;
  /** Available memory, where a case fixes it; what pods do not use is then in use by the system. */
  readonly availableAt: Curve | undefined;
  /** From here on nothing answers under /metrics/cadvisor. */
  readonly cadvisorGoneFromMs: number | undefined;
  readonly evictions: readonly { readonly atMs: number; readonly signal: MemorySignal }[];
  readonly hasMemoryPressure: boolean;
}

/** A defaulting rule of a namespace, as far as kube-state-metrics shows it. */
export interface DemoLimitRange {
  readonly namespace: string;
  readonly name: string;
  readonly defaultRequestBytes: number;
}

/** An autoscaler that scales a workload on its memory. */
export interface DemoAutoscaler {
  readonly namespace: string;
  readonly name: string;
  readonly target: WorkloadRef;
}

/** The synthetic cluster: everything its series are made from. Pods of the past and of the next day are in it too. */
export interface DemoCluster {
  /** The time it was built for; special cases are arranged around it. */
  readonly nowMs: number;
  readonly nodes: readonly DemoNode[];
  readonly pods: readonly DemoPod[];
  /** Values of the priority classes that an operator would configure. */
  readonly priorityClasses: Readonly<Record<string, number>>;
  readonly limitRanges: readonly DemoLimitRange[];
  readonly autoscalers: readonly DemoAutoscaler[];
}
