import type { Pod } from './pod.ts';

/** One node with the pods bound to it. Unknown is `undefined`, never 0. */
export interface Node {
  readonly cluster: string | undefined;
  readonly name: string;
  /** Machine memory (`status.capacity`). */
  readonly capacityBytes: number | undefined;
  readonly allocatableBytes: number | undefined;
  /** Working set of the root cgroup: what memory.available is computed from. */
  readonly workingSetBytes: number | undefined;
  /** As the node reports it, such as `v1.30.1`. */
  readonly kubeletVersion: string | undefined;
  /**
   * False where pods run but none has usage (a scrape hole), and where the pods of its cluster are not known at all.
   * Nothing is ranked on such a node.
   */
  readonly hasUsageData: boolean;
  /**
   * Pods whose usage, or whether they live, came as NaN, infinite or too large: not known, unlike the usage of a pod without
   * stats.
   */
  readonly podsWithLostSamples: number;
  /** Sorted by namespace, name. */
  readonly pods: readonly Pod[];
}
