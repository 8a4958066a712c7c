import { isCriticalPod } from '../kubelet/critical.ts';
import { joinKey } from '../model/keys.ts';
import type { Pod } from '../model/pod.ts';
import type { ClusterSubject } from './cluster-findings.ts';
import type { PlacedNode, PlacedPod } from './placed.ts';

/** For a Guaranteed pod: pods of a lower class on its node that are evicted after it though priority alone says so. */
export function outlivers(
  nodes: readonly PlacedNode[],
  unmappedClasses: ReadonlySet<string>,
): (pod: Pod) => readonly PlacedPod[] {
  const byNode = new Map(nodes.map(({ node, pods }) => [joinKey(node.cluster, node.name), pods]));
  const isKnown = ({ priorityClass }: Pod): boolean => !unmappedClasses.has(priorityClass ?? '');
  return (pod) =>
    pod.qosClass === 'Guaranteed' && isKnown(pod)
      ? (byNode.get(joinKey(pod.cluster, pod.node)) ?? []).filter(
          ({ pod: other, now }) =>
            now.group === 'within_request' &&
            other.qosClass !== 'Guaranteed' &&
            isKnown(other) &&
            other.priority > pod.priority,
        )
      : [];
}

/** Without those that are never evicted: their priority protects them by itself. Those of unknown priority apart. */
export function evictablePriorities(
  priorities: ClusterSubject['priorities'],
  nodes: readonly PlacedNode[],
  unmappedClasses: ReadonlySet<string>,
): Pick<ClusterSubject, 'priorities' | 'unmappedPods'> {
  const spared = new Map<string, number>();
  const keyOf = (one: { priority: number; priorityClass: string | undefined }): string =>
    joinKey(String(one.priority), one.priorityClass);
  for (const { pod } of nodes.flatMap(({ pods }) => pods)) {
    if (isCriticalPod(pod)) spared.set(keyOf(pod), (spared.get(keyOf(pod)) ?? 0) + 1);
  }
  const evictable = priorities
    .map((one) => ({ ...one, pods: one.pods - (spared.get(keyOf(one)) ?? 0) }))
    .filter(({ pods }) => pods > 0);
  const isKnown = ({ priorityClass }: { priorityClass: string | undefined }): boolean =>
    !unmappedClasses.has(priorityClass ?? '');
  return {
    priorities: evictable.filter(isKnown),
    unmappedPods: evictable.filter((one) => !isKnown(one)).reduce((sum, { pods }) => sum + pods, 0),
  };
}
