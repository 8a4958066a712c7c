import type { Basis } from '../../snapshot/snapshot.ts';
import { rank, withGroup, withInfo } from './pods.ts';
import { keys } from './selector.ts';

const bucket = {
  group: `${keys.node}, group`,
  priority: `${keys.node}, group, priority`,
} as const;

/** The series of `vector` that come last (the highest rank) in their bucket. */
function lastOf(vector: string, by: string): string {
  return `(${vector}) == on (${by}) group_left () max by (${by}) (${vector})`;
}

/**
 * Rank of each pod with the label `decided_by`: the comparator that puts it before the pod of the next rank.
 *
 * The order is group, then priority, then usage over request (`rankMemoryPressure` in
 * pkg/kubelet/eviction/helpers.go). So the last pod of a group is before the next one because of the group, the last
 * of a priority within a group because of priority, and every other because of usage over request. Pods that share a
 * rank are tied: the comparator shown is the one that puts all of them before the next rank.
 */
export function decidedBy(basis: Basis, matchers: string): string {
  const ranked = rank(basis, matchers);
  const grouped = withGroup(ranked, basis, matchers);
  const full = withInfo(grouped, matchers, 'priority');
  const decisions = [
    `label_replace(${lastOf(ranked, keys.node)}, "decided_by", "last", "", "")`,
    `label_replace(${lastOf(grouped, bucket.group)}, "decided_by", "$1", "group", "(.+)")`,
    `label_replace(${lastOf(full, bucket.priority)}, "decided_by", "priority", "", "")`,
    `label_replace(${ranked}, "decided_by", "over_request", "", "")`,
  ];
  return `max by (${keys.pod}, decided_by) (${decisions.join(` or on (${keys.pod}) `)})`;
}
