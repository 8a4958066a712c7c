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
    readonly podsWithLostSamples: number;
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
  /** What init containers alone make a pod request; undefined = nothing. */
  readonly initNeedBytes: number | undefined;
  /** The worst of its pods; undefined = none is known. */
  readonly leak: LeakTrend | undefined;
}

/** Where a review has its facts from. */
export type ReviewSource = 'prometheus' | 'snapshot';

/** What the review knows beyond a snapshot. Undefined = not known, and then what depends on it is left out. */
export interface ReviewFacts extends WorkloadFacts, SizingFacts {
  readonly source: ReviewSource;
  /** Peak of each hour of the window, oldest first, NaN where there is none. */
  readonly workloadHours: (workload: WorkloadKey) => readonly number[] | undefined;
  /** The same by container, of the pods that live now. */
  readonly containerHours: (workload: WorkloadKey) => ReadonlyMap<string, readonly number[]>;
}

/** A snapshot knows no more than it holds. */
export const noFacts: ReviewFacts = {
  ...noSizingFacts,
  source: 'snapshot',
  specOf: () => undefined,
  defaultRequestsBytes: () => [],
  nodeCpuCores: () => undefined,
  waitingPods: [],
  restingCronJobs: [],
  gaps: [
    'This is the review of a snapshot, which holds no containers, cpu requests, LimitRanges, pods that wait for a node, CronJobs between two runs, nor single hours. So there are no numbers by container, no patches, no number of nodes needed, no charts of hours, and no findings about injected sidecars, LimitRanges and requests above any node. What it does say is what a review of its Prometheus says.',
  ],
  workloadHours: () => undefined,
  containerHours: () => new Map(),
};
