import type { ComparatorGroup } from '../kubelet/candidate.ts';
import type { Pod, WorkloadKey } from '../model/pod.ts';
import { noSizingFacts, type SizingFacts } from '../model/sizing-facts.ts';
import type { WorkloadFacts } from '../model/workload-facts.ts';
import type { HourlyPeaks } from './hourly-peaks.ts';
import type { LeakTrend } from './leak-trend.ts';

/** A pod and where the ranking of its node put it, basis now. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly now: { readonly group: ComparatorGroup | undefined };
}

/** A node with what the ranking says of it. */
export interface PlacedNode {
  readonly node: {
    readonly cluster: string | undefined;
    readonly name: string;
    readonly capacityBytes: number | undefined;
    readonly allocatableBytes: number | undefined;
    readonly workingSetBytes: number | undefined;
    readonly hasUsageData: boolean;
  };
  readonly requestsBytes: number | undefined;
  /** In eviction order, protected pods last. */
  readonly pods: readonly PlacedPod[];
}

/** A workload as the window and its live pods show it. */
export interface SummarizedWorkload {
  readonly workload: WorkloadKey;
  readonly isStatic: boolean;
  readonly replicas: number;
  readonly seenReplicas: number;
  /** Largest of any live replica. */
  readonly requestBytes: number | undefined;
  readonly hourly: HourlyPeaks | undefined;
  readonly oomKills: number | undefined;
  readonly hasMemoryAutoscaler: boolean | undefined;
  /** The worst of its pods; undefined = none is known. */
  readonly leak: LeakTrend | undefined;
}

/** What the review knows beyond a snapshot. Undefined = not known, and then what depends on it is left out. */
export interface ReviewFacts extends WorkloadFacts, SizingFacts {
  /** Peak of each hour of the window, oldest first, NaN where there is none. */
  readonly workloadHours: (workload: WorkloadKey) => readonly number[] | undefined;
  /** The same by container, of the pods that live now. */
  readonly containerHours: (workload: WorkloadKey) => ReadonlyMap<string, readonly number[]>;
}

/** A snapshot knows no more than it holds. */
export const noFacts: ReviewFacts = {
  ...noSizingFacts,
  specOf: () => undefined,
  defaultRequestsBytes: () => [],
  nodeCpuCores: () => undefined,
  waitingPods: [],
  jobWorkloads: [],
  gaps: [
    'The source shows no containers, no LimitRanges and no pods that wait: what depends on them is left out.',
  ],
  workloadHours: () => undefined,
  containerHours: () => new Map(),
};
