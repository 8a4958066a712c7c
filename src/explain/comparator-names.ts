/**
 * What people read for a group and for a comparator: here alone, and so that no group is called what a comparator is
 * called. The ids of the API and of the metrics (`exceeds_request`, `over_request`) are another matter and stay.
 */
import type { ComparatorGroup, DecidedBy } from '../kubelet/candidate.ts';

export const groupNames: Readonly<Record<ComparatorGroup, string>> = {
  no_stats: 'no figures',
  exceeds_request: 'over request',
  within_request: 'within request',
  protected: 'never evicted',
};

/** What puts a pod before the next one. The first two comparators put it into another group. */
export const comparatorNames: Readonly<Record<DecidedBy, string>> = {
  no_stats: 'group',
  exceeds_request: 'group',
  priority: 'priority',
  over_request: 'amount',
  tie: 'tie',
};
