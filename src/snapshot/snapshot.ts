import type { Standing } from '../kubelet/candidate.ts';
import type { Node } from '../model/node.ts';
import type { Pod, WorkloadKey } from '../model/pod.ts';
import type { InputProblem } from '../model/problem.ts';
import type { HourlyPeaks } from '../review/hourly-peaks.ts';
import type { LeakTrend } from '../review/leak-trend.ts';
import type { Abstention } from '../review/recommendation.ts';
import type { PodCounts } from './pod-counts.ts';

/** `now` = current working set; `peak` = highest of the window. */
export type Basis = 'now' | 'peak';

/** A pod's place on one basis with the numbers that put it there. On an incomplete node it has neither group nor rank. */
export interface PodOnBasis extends Omit<Standing, 'group'> {
  readonly group: Standing['group'] | undefined;
  readonly usageBytes: number | undefined;
  /** usage − request; may be negative. */
  readonly overRequestBytes: number | undefined;
  /** usage / request; undefined where the request is 0 or either is unknown. */
  readonly usageRequestRatio: number | undefined;
}

export interface RankedPod {
  readonly pod: Pod;
  readonly now: PodOnBasis;
  readonly peak: PodOnBasis;
  /** How much more memory the node must lose before the kubelet takes this pod (basis now). */
  readonly distanceBytes: number | undefined;
  readonly timeOverRequestRatio: number | undefined;
}

export interface RankedNode {
  readonly node: Omit<Node, 'pods'>;
  /** True where usage and requests are known, so that the order can be trusted. */
  readonly complete: boolean;
  readonly availableBytes: number | undefined;
  readonly thresholdBytes: number | undefined;
  /** available − threshold; negative once the threshold is met. */
  readonly headroomBytes: number | undefined;
  readonly requestsBytes: number | undefined;
  /** Σ of the pod peaks that are known. */
  readonly peakBytes: number | undefined;
  /** Pods that rank before a pod of a lower QoS class (basis now). */
  readonly qosOrderInversions: number | undefined;
  readonly podCounts: PodCounts;
  /** Basis now, in eviction order, ties by namespace and name; protected pods last. */
  readonly pods: readonly RankedPod[];
}

export interface WorkloadSummary {
  readonly workload: WorkloadKey;
  /** Its pods are static: sized in manifests on their nodes. */
  readonly isStatic: boolean;
  readonly replicas: number;
  /** Replicas whose usage and request are known now. */
  readonly seenReplicas: number;
  /** Largest request of any live replica. */
  readonly requestBytes: number | undefined;
  readonly peakBytes: number | undefined;
  /** What the hourly peaks say; undefined where the window knows nothing of it. */
  readonly hourly: HourlyPeaks | undefined;
  /** OOM kills in the window; undefined = not known. */
  readonly oomKills: number | undefined;
  readonly hasMemoryAutoscaler: boolean | undefined;
  /** The worst of its pods; undefined = none is known. */
  readonly leak: LeakTrend | undefined;
  /** What init containers alone make a pod request; undefined = nothing. */
  readonly initNeedBytes: number | undefined;
  readonly recommendedRequestBytes: number | undefined;
  /** Why no request is recommended. */
  readonly abstention: Abstention | undefined;
}

/** One input row as it came out at this refresh. */
export interface InputState {
  readonly id: string;
  readonly outcome: 'ok' | 'empty' | 'failed';
  /** The source used, e.g. a metric name; undefined where none had data. */
  readonly source: string | undefined;
  readonly series: number;
  readonly error: string | undefined;
}

export interface PriorityCount {
  readonly priority: number;
  readonly priorityClass: string | undefined;
  readonly pods: number;
}

/** Everything any output may show, computed once per refresh and frozen. */
export interface Snapshot {
  readonly evaluatedAtMs: number;
  readonly windowSeconds: number;
  readonly windowCoverageRatio: number;
  /** Margin of the recommended requests above the peak, 0.15 = 15 %. */
  readonly requestMargin: number;
  /** True where a cluster label is configured; then every series carries `cluster`. */
  readonly hasClusterLabel: boolean;
  readonly nodes: readonly RankedNode[];
  readonly workloads: readonly WorkloadSummary[];
  readonly priorities: readonly PriorityCount[];
  readonly inputs: readonly InputState[];
  readonly problems: readonly InputProblem[];
}
