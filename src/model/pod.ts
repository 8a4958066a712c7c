import type { QosClass } from '../kubelet/qos-class.ts';

/** The controller at the end of the owner chain (ReplicaSet → Deployment, Job → CronJob); a bare pod is its own. */
export interface WorkloadRef {
  readonly kind: string;
  readonly name: string;
}

/** A workload within one namespace (and cluster, where a cluster label is configured). */
export interface WorkloadKey extends WorkloadRef {
  readonly cluster: string | undefined;
  readonly namespace: string;
}

/** What tells whose pod it is. */
export interface OwnedPod {
  readonly cluster: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly workload: WorkloadRef;
}

/** A pod bound to a node and not finished (phase Pending or Running). Unknown is `undefined`, never 0. */
export interface Pod {
  /** Value of the configured cluster label; undefined where none is configured. */
  readonly cluster: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
  readonly node: string;
  /** A Pending pod may have no containers yet, and then no usage. */
  readonly phase: 'Running' | 'Pending';
  readonly qosClass: QosClass | undefined;
  /** spec.priority; 0 where unset. An unmapped priority class is 0 and reported as an input problem. */
  readonly priority: number;
  readonly priorityClass: string | undefined;
  /** Static or mirror pod (owned by its Node): never evicted, like a pod of priority ≥ 2000000000. */
  readonly isStatic: boolean;
  readonly workload: WorkloadRef;
  /** Working set of the pod now; undefined = no stats. */
  readonly usageBytes: number | undefined;
  /** Effective memory request as the kubelet computes it; undefined = could not be determined. */
  readonly requestBytes: number | undefined;
}
