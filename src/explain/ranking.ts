/** Ranks one node of a snapshot again, as it is or with one pod changed: every "what if" is computed here. */
import type { ComparatorGroup, EvictionCandidate } from '../kubelet/candidate.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import { memoryPolicy } from '../kubelet/policies.ts';
import { type RankedCandidate, rankCandidates } from '../kubelet/rank.ts';
import type { Basis, RankedNode, RankedPod } from '../snapshot/snapshot.ts';

/** A pod of the snapshot as the kubelet's comparators see it. */
export interface PodCandidate extends EvictionCandidate {
  readonly ranked: RankedPod;
}

/** The pods of a node in eviction order on one basis. */
export type NodeOrder = readonly RankedCandidate<PodCandidate>[];

/** What is different about one pod; everything else stays as it is. */
export interface PodChange {
  readonly requestBytes?: number | undefined;
  readonly priority?: number | undefined;
  readonly usageBytes?: number | undefined;
}

/** Where a pod stands. */
export interface Place {
  readonly group: ComparatorGroup;
  /** undefined = protected. */
  readonly rank: number | undefined;
  readonly tied: boolean;
  /** Evictable pods on the node. */
  readonly rankedPods: number;
}

/**
 * Whether the pods of a node have places. It may be so on a node that is not complete: where pods are missing from
 * the data, those that are there still compare as they do.
 */
export function isRanked({ pods }: RankedNode): boolean {
  return pods.every(({ now }) => now.group !== undefined);
}

/** @param node must be ranked: an order made from half the numbers would be a guess. */
export function rankNodeAgain(
  node: RankedNode,
  basis: Basis,
  changed?: { readonly pod: RankedPod; readonly change: PodChange },
): NodeOrder {
  return rankCandidates(
    node.pods.map((ranked) => candidateOf(ranked, basis, changed?.pod === ranked ? changed.change : {})),
    memoryPolicy,
  );
}

/** The place of a pod once it is changed. */
export function placeAfter(
  node: RankedNode,
  basis: Basis,
  changed: { readonly pod: RankedPod; readonly change: PodChange },
): Place {
  return placeIn(rankNodeAgain(node, basis, changed), changed.pod);
}

/** @throws RangeError where the pod is not in the order. */
export function placeIn(order: NodeOrder, pod: RankedPod): Place {
  const found = order.find(({ candidate }) => candidate.ranked === pod);
  if (found === undefined) throw new RangeError(`${nameOf(pod)} is not on this node`);
  const { group, rank, tied } = found.standing;
  return {
    group,
    rank,
    tied,
    rankedPods: order.filter(({ standing }) => standing.rank !== undefined).length,
  };
}

export function nameOf({ pod }: RankedPod): string {
  return `${pod.namespace}/${pod.name}`;
}

function candidateOf(ranked: RankedPod, basis: Basis, change: PodChange): PodCandidate {
  const { pod } = ranked;
  const priority = change.priority ?? pod.priority;
  return {
    ranked,
    namespace: pod.namespace,
    name: pod.name,
    priority,
    usage: change.usageBytes ?? ranked[basis].usageBytes,
    request: change.requestBytes ?? pod.requestBytes ?? 0,
    isProtected: isCriticalPod({ isStatic: pod.isStatic, priority }),
  };
}
