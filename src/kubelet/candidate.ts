import type { Amount } from './amount.ts';

/**
 * A pod as the kubelet's comparators see it, for one resource under pressure.
 * `usage` and `request` are in the unit of that resource (bytes, inodes, processes): plain numbers, or `Amount`
 * where values above 2^53 must stay exact.
 */
export interface EvictionCandidate<A extends Amount = number> {
  readonly namespace: string;
  readonly name: string;
  /** spec.priority, 0 where unset. */
  readonly priority: number;
  /** undefined = the kubelet has no stats for the pod: it goes first. */
  readonly usage: A | undefined;
  readonly request: A;
  /** Static, mirror or critical: ranked by the kubelet, then skipped; never evicted. */
  readonly isProtected: boolean;
}

/** Why a pod stands where it stands; `protected` pods are never evicted. */
export type ComparatorGroup = 'no_stats' | 'exceeds_request' | 'within_request' | 'protected';

/** The comparator that put a pod before the next one; `tie` = none did. */
export type DecidedBy = 'no_stats' | 'exceeds_request' | 'priority' | 'over_request' | 'tie';

/** One pod's place. Rank 1 is evicted first; full ties share a rank (1,2,2,4); protected pods have none. */
export interface Standing {
  readonly group: ComparatorGroup;
  readonly rank: number | undefined;
  /** True where another pod has the same rank. */
  readonly tied: boolean;
  /** undefined for the last evictable pod (nobody to be put before) and for protected ones. */
  readonly decidedBy: DecidedBy | undefined;
}
