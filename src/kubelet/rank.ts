import { compareText } from '../foundation/text-order.ts';
import type { Amount } from './amount.ts';
import type { ComparatorGroup, DecidedBy, EvictionCandidate, Standing } from './candidate.ts';
import type { Policy } from './policies.ts';

type Candidate = EvictionCandidate<Amount>;

export interface RankedCandidate<T extends Candidate> {
  readonly candidate: T;
  readonly standing: Standing;
}

/**
 * Puts pods in the order in which the kubelet would evict them.
 *
 * Protected pods come last, in the kubelet's own order among themselves: it ranks them like any other and skips
 * them when it evicts (`evictPod` in pkg/kubelet/eviction/eviction_manager.go). Go's sort leaves full ties in no
 * order at all; here they share a rank and are listed by namespace and name, so that the same pods always give the
 * same answer.
 */
export function rankCandidates<T extends Candidate>(
  candidates: readonly T[],
  policy: Policy,
): readonly RankedCandidate<T>[] {
  const ordered = candidates.toSorted(
    (a, b) =>
      Number(a.isProtected) - Number(b.isProtected) || compareByPolicy(a, b, policy) || compareNames(a, b),
  );
  const ranked: RankedCandidate<T>[] = [];
  let rank = 1;
  let decidedBefore: DecidedBy | undefined;
  for (const [index, candidate] of ordered.entries()) {
    const group = groupOf(candidate, policy);
    if (group === 'protected') {
      ranked.push({ candidate, standing: PROTECTED });
      continue;
    }
    if (decidedBefore !== 'tie') rank = index + 1;
    const next = ordered[index + 1];
    const decidedBy =
      next === undefined || next.isProtected ? undefined : decidingCriterion(candidate, next, policy);
    const tied = decidedBefore === 'tie' || decidedBy === 'tie';
    ranked.push({ candidate, standing: { group, rank, tied, decidedBy } });
    decidedBefore = decidedBy;
  }
  return ranked;
}

const PROTECTED: Standing = { group: 'protected', rank: undefined, tied: false, decidedBy: undefined };

/** The group a pod falls into under a policy; needs no other pod. */
export function groupOf(candidate: Candidate, policy: Policy): ComparatorGroup {
  if (candidate.isProtected) return 'protected';
  for (const criterion of policy) {
    if ('holds' in criterion && criterion.holds(candidate)) return criterion.decides;
  }
  return 'within_request';
}

/** The first criterion that tells two pods apart, `tie` where none does. */
export function decidingCriterion(a: Candidate, b: Candidate, policy: Policy): DecidedBy {
  return policy.find((criterion) => criterion.compare(a, b) !== 0)?.decides ?? 'tie';
}

/** Negative: the kubelet evicts `a` before `b`; 0: a full tie. Looks at neither names nor protection. */
export function compareByPolicy(a: Candidate, b: Candidate, policy: Policy): number {
  for (const criterion of policy) {
    const difference = criterion.compare(a, b);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareNames(a: Candidate, b: Candidate): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}
