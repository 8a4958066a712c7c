import type { ComparatorGroup } from '../kubelet/candidate.ts';
import type { NodeOrder } from './ranking.ts';

/**
 * Who goes before a pod, and why: the claims that the first sentence is made of.
 * rank = 1 + noStatsBefore + exceedingBefore (earlier groups) + lowerInGroup + aheadAtSamePriority.
 */
export interface Competition {
  readonly group: ComparatorGroup;
  readonly rank: number;
  /** Pods that share the rank, without itself. */
  readonly tiedWith: number;
  /** Evictable pods on the node, itself among them. */
  readonly rankedPods: number;
  /** Evictable pods of the same group, itself among them. */
  readonly inGroup: number;
  /** Pods without stats, where that is an earlier group. */
  readonly noStatsBefore: number;
  /** Pods over their request, where that is an earlier group. */
  readonly exceedingBefore: number;
  /** Of the group: pods of a lower priority. */
  readonly lowerInGroup: number;
  /** Of the group: other pods of the same priority. */
  readonly othersAtSamePriority: number;
  /** Of those: pods that go before it, for their usage − request is larger. */
  readonly aheadAtSamePriority: number;
  /** Pods of a lower priority on the whole node, protected ones too. */
  readonly lowerOnNode: number;
}

/** Undefined for a pod without a rank. */
export function describeCompetition(order: NodeOrder, index: number): Competition | undefined {
  const own = order[index];
  if (own === undefined) return undefined;
  const { group, rank } = own.standing;
  if (rank === undefined) return undefined;
  const { priority } = own.candidate;
  const evictable = order.filter(({ standing }) => standing.rank !== undefined);
  const inGroup = evictable.filter(({ standing }) => standing.group === group);
  const atSamePriority = inGroup.filter(({ candidate }) => candidate.priority === priority);
  const isLower = ({ candidate }: NodeOrder[number]) => candidate.priority < priority;
  const isBefore = ({ standing }: NodeOrder[number]) => (standing.rank ?? rank) < rank;
  const countBefore = (earlier: ComparatorGroup) =>
    group === earlier
      ? 0
      : evictable.filter((other) => other.standing.group === earlier && isBefore(other)).length;
  return {
    group,
    rank,
    tiedWith: evictable.filter(({ standing }) => standing.rank === rank).length - 1,
    rankedPods: evictable.length,
    inGroup: inGroup.length,
    noStatsBefore: countBefore('no_stats'),
    exceedingBefore: countBefore('exceeds_request'),
    lowerInGroup: inGroup.filter(isLower).length,
    othersAtSamePriority: atSamePriority.length - 1,
    aheadAtSamePriority: atSamePriority.filter(isBefore).length,
    lowerOnNode: order.filter(isLower).length,
  };
}
