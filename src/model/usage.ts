import type { CollectedInputs } from '../inputs/collect.ts';
import type { Sample } from '../prometheus/client.ts';
import type { LivePods } from './generations.ts';
import { droppedPods, samplesByPod, valuesByPod } from './lookup.ts';

export interface Usage {
  /** Working set of a living pod by its number; undefined = it has none, or it is lost. */
  bytesOf(pod: number): number | undefined;
  /**
   * True where a sample of it came and was dropped. The kubelet, which reads no sample, may well have stats of the pod,
   * so it must not be taken for one without.
   */
  isLost(pod: number): boolean;
}

/**
 * Working sets by pod name, except where a recreated pod has two cgroups at once: there the one whose cgroup path
 * holds the uid counts, and none if neither does.
 */
export function usageLookup({ rows }: CollectedInputs, live: LivePods): Usage {
  const usage = valuesByPod(rows.pod_usage, live, 'byName');
  const overlaps = samplesByPod(rows.pod_usage_overlap, live, 'byName');
  const dropped = [rows.pod_usage, rows.pod_usage_overlap].map((row) => droppedPods(row, live, 'byName'));
  const bytesOf = (pod: number): number | undefined => {
    const cgroups = overlaps.get(pod);
    const uid = live.living[pod]?.uid;
    if (cgroups === undefined || !uid) return usage[pod];
    return cgroups.find((sample) => isCgroupOf(sample, uid))?.value;
  };
  return {
    bytesOf,
    isLost: (pod) => bytesOf(pod) === undefined && dropped.some((pods) => pods.has(pod)),
  };
}

/** The systemd driver writes the uid of a cgroup path with underscores (kubelet cm/cgroup_manager_linux.go). */
function isCgroupOf(sample: Sample, uid: string): boolean {
  const id = sample.labels.id ?? '';
  return id.includes(uid) || id.includes(uid.replaceAll('-', '_'));
}
