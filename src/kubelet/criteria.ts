/** The comparators of pkg/kubelet/eviction/helpers.go, one meaning each; policies.ts puts them in order. */
import { type Amount, compareAmounts, subtractAmounts } from './amount.ts';
import type { ComparatorGroup, DecidedBy, EvictionCandidate } from './candidate.ts';

type Candidate = EvictionCandidate<Amount>;

/** Orders two pods by one property. */
interface Scale {
  readonly decides: Exclude<DecidedBy, 'tie'>;
  /** Negative: `a` is evicted before `b`. 0: this criterion sees no difference. */
  readonly compare: (a: Candidate, b: Candidate) => number;
}

/** A criterion that is true or false of a pod: those for which it holds go first and form a group. */
interface Claim extends Scale {
  readonly decides: Extract<DecidedBy, ComparatorGroup>;
  readonly holds: (candidate: Candidate) => boolean;
}

export type Criterion = Scale | Claim;

function claim(decides: Claim['decides'], holds: Claim['holds']): Claim {
  return { decides, holds, compare: (a, b) => Number(holds(b)) - Number(holds(a)) };
}

/**
 * The kubelet has no stats for the pod. Upstream repeats this in front of each comparator that needs usage;
 * once decided here, the criteria behind it only ever see two pods with stats, or two without.
 */
export const noStats = claim('no_stats', ({ usage }) => usage === undefined);

/** `exceedMemoryRequests`, `exceedDiskRequests`: strictly more than the request. */
export const exceedsRequest = claim(
  'exceeds_request',
  ({ usage, request }) => usage !== undefined && usage > request,
);

/** No pod can request inodes, so `exceedDiskRequests` compares them with 0, whatever the pod's other requests. */
export const exceedsZero = claim('exceeds_request', ({ usage }) => usage !== undefined && usage > 0);

/** `priority`: the lower one goes first. */
export const priority: Criterion = {
  decides: 'priority',
  compare: (a, b) => a.priority - b.priority,
};

/** `memory`, `disk`, `process`: the larger usage − request goes first, in absolute units, not as a ratio. */
export const overRequest: Criterion = {
  decides: 'over_request',
  compare(a, b) {
    if (a.usage === undefined || b.usage === undefined) return 0;
    return compareAmounts(subtractAmounts(b.usage, b.request), subtractAmounts(a.usage, a.request));
  },
};
