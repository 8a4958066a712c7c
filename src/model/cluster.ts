import type { Node } from './node.ts';
import type { OwnedPod } from './pod.ts';
import type { ProblemKind } from './problem.ts';

/** Something about the inputs an operator should know: what is missing or odd, what that makes wrong, how to repair it. */
export interface InputProblem {
  readonly kind: ProblemKind;
  /** What it concerns: an input id, a node, a priority class. */
  readonly subject: string;
  readonly message: string;
  readonly remedy: string;
}

/** Everything known of the cluster(s) at one evaluation time: joined, deduplicated, units in the names. */
export interface Cluster {
  readonly evaluatedAtMs: number;
  /** Sorted by cluster, name. */
  readonly nodes: readonly Node[];
  /** Pods that are still listed but finished: of interest only for what their workload has used. */
  readonly finishedPods: readonly OwnedPod[];
  readonly problems: readonly InputProblem[];
}
