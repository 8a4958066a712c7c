import type { ComparatorGroup } from '../kubelet/candidate.ts';
import type { PodDetail } from '../model/pod-detail.ts';
import type { InputProblem } from '../model/problem.ts';
import type { Basis, RankedNode, RankedPod, Snapshot } from '../snapshot/snapshot.ts';
import { type ComparedValues, type Comparison, comparedValues, findNeighbours } from './comparison.ts';
import { type Counterfactual, findCounterfactuals } from './counterfactuals.ts';
import { type DistanceExplanation, explainDistance } from './distance.ts';
import type { MemoryQosChoice } from './memory-protection.ts';
import { isRanked, type NodeOrder, nameOf, rankNodeAgain } from './ranking.ts';
import { explainResources, type ResourceExplanation } from './resources.ts';
import { summarize } from './summary.ts';

/** A pod's place on one basis, and the pods next to it. */
export interface BasisExplanation {
  readonly basis: Basis;
  readonly group: ComparatorGroup | undefined;
  readonly rank: number | undefined;
  /** Evictable pods on the node; undefined where the node is not ranked. */
  readonly rankedPods: number | undefined;
  readonly usageBytes: number | undefined;
  /** The three values the kubelet compares; undefined where the node is not ranked. */
  readonly values: ComparedValues | undefined;
  /** At most two: the nearest pod that goes before it, and the nearest that goes after it. */
  readonly neighbours: readonly Comparison[];
  /** Pods that share the rank, as namespace/name: the kubelet may take any of them first. */
  readonly tiedWith: readonly string[];
}

/** Why a pod stands where it stands, and what would change that. Plain data; texts are whole sentences. */
export interface PodExplanation {
  readonly summary: string;
  readonly now: BasisExplanation;
  readonly peak: BasisExplanation;
  readonly distance: DistanceExplanation;
  readonly counterfactuals: readonly Counterfactual[];
  /** QoS class, OOM killer, Memory QoS; undefined where the containers are not known. */
  readonly resources: ResourceExplanation | undefined;
  /** What may make this explanation wrong or leaves it incomplete. */
  readonly cautions: readonly string[];
}

export interface ExplanationExtras {
  /** The containers of the pod, or the sentence that says why they are not known. */
  readonly detail?: PodDetail | { readonly unavailable: string } | undefined;
  /** Settings of the kubelets' feature MemoryQoS, where they are known. */
  readonly memoryQos?: MemoryQosChoice | undefined;
}

/** Explains one pod of a snapshot; pure, and right only as far as the snapshot is. */
export function explainPod(
  snapshot: Snapshot,
  { ranked, node }: { readonly ranked: RankedPod; readonly node: RankedNode },
  { detail, memoryQos }: ExplanationExtras = {},
): PodExplanation {
  const orders = isRanked(node)
    ? { now: rankNodeAgain(node, 'now'), peak: rankNodeAgain(node, 'peak') }
    : undefined;
  return {
    summary: summarize(ranked, node, orders?.now),
    now: explainBasis(ranked, 'now', orders?.now),
    peak: explainBasis(ranked, 'peak', orders?.peak),
    distance: explainDistance(ranked, node, orders?.now),
    counterfactuals: findCounterfactuals(ranked, node, snapshot),
    resources:
      detail === undefined || 'unavailable' in detail
        ? undefined
        : explainResources({ ranked, node }, detail, memoryQos),
    cautions: [
      ...cautionsFor(ranked, node, snapshot),
      ...(detail !== undefined && 'unavailable' in detail ? [detail.unavailable] : []),
    ],
  };
}

function explainBasis(ranked: RankedPod, basis: Basis, order: NodeOrder | undefined): BasisExplanation {
  const { group, rank, usageBytes } = ranked[basis];
  const place = { basis, group, rank, usageBytes };
  if (order === undefined) {
    return { ...place, rankedPods: undefined, values: undefined, neighbours: [], tiedWith: [] };
  }
  const index = order.findIndex(({ candidate }) => candidate.ranked === ranked);
  const own = order[index]?.candidate;
  return {
    ...place,
    rankedPods: order.filter(({ standing }) => standing.rank !== undefined).length,
    values: own === undefined ? undefined : comparedValues(own),
    ...findNeighbours(order, index),
  };
}

function cautionsFor(ranked: RankedPod, node: RankedNode, snapshot: Snapshot): readonly string[] {
  const { windowCoverageRatio, problems } = snapshot;
  // A class that is not known moves every pod that competes with this one.
  const classes = node.pods.map(({ pod }) => pod.priorityClass);
  const subjects = new Set([...classes, nameOf(ranked), node.node.name]);
  const concerns = ({ subject }: InputProblem) => subjects.has(subject);
  const missing =
    isRanked(node) && !node.complete
      ? ['Some pods of this node are missing from the data, so its real place may be a later one.']
      : [];
  return [
    ...missing,
    ...(windowCoverageRatio === 1 ? [] : [describeCoverage(windowCoverageRatio)]),
    ...problems.filter(concerns).map(({ message, remedy }) => `${message} (${remedy})`),
  ];
}

function describeCoverage(ratio: number): string {
  if (ratio === 0) return 'Nothing is known of the past, so the peak of each pod is what it uses now.';
  return `The peaks cover only ${Math.floor(ratio * 100)}% of the window so far, so they may be too low.`;
}
