import type { KubernetesPod } from '../../inputs/kubernetes/pod-object.ts';
import type { PodStats, StatsSummary } from '../../inputs/kubernetes/stats-summary.ts';
import { joinKey } from '../keys.ts';

/** The stats of one node's pods. */
export interface StatsLookup {
  statsOf(pod: KubernetesPod): PodStats | undefined;
}

/** In a mirror pod: the uid that the kubelet knows the static pod by (pkg/kubelet/types/pod_update.go). */
const staticUidAnnotation = 'kubernetes.io/config.mirror';

/**
 * Finds stats by uid, as the kubelet does (`cachedStatsFunc` in pkg/kubelet/eviction/helpers.go): those of an earlier
 * pod of the same name are not this pod's. The name decides only where either side has no uid.
 */
export function statsLookup({ pods }: StatsSummary): StatsLookup {
  const byUid = new Map<string, PodStats>();
  const byName = new Map<string, PodStats>();
  for (const stats of pods) {
    if (stats.uid !== undefined) byUid.set(stats.uid, stats);
    byName.set(joinKey(stats.namespace, stats.name), stats);
  }
  return {
    statsOf(pod) {
      const uids = [pod.uid, pod.annotations[staticUidAnnotation]].filter((uid) => uid !== undefined);
      for (const uid of uids) {
        const stats = byUid.get(uid);
        if (stats !== undefined) return stats;
      }
      const namesake = byName.get(joinKey(pod.namespace, pod.name));
      return namesake?.uid === undefined || uids.length === 0 ? namesake : undefined;
    },
  };
}
