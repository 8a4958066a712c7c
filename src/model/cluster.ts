import type { Node } from './node.ts';
import type { OwnedPod } from './pod.ts';
import type { InputProblem } from './problem.ts';

/** Everything known of the cluster(s) at one evaluation time: joined, deduplicated, units in the names. */
export interface Cluster {
  readonly evaluatedAtMs: number;
  /** Sorted by cluster, name. */
  readonly nodes: readonly Node[];
  /** Pods that are still listed but finished: of interest only for what their workload has used. */
  readonly finishedPods: readonly OwnedPod[];
  /** What init containers alone make a pod request, largest of any living pod, by `workloadText`. */
  readonly initNeedBytes: ReadonlyMap<string, number>;
  readonly problems: readonly InputProblem[];
}
