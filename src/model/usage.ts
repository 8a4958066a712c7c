import type { CollectedInputs } from '../inputs/collect.ts';
import type { Sample } from '../prometheus/client.ts';
import type { LivePods } from './generations.ts';
import { samplesByPod, valuesByPod } from './lookup.ts';

/** Looks up the working set of a living pod by its number; undefined = it has none. */
export type UsageOf = (pod: number) => number | undefined;

/**
 * Working sets by pod name, except where a recreated pod has two cgroups at once: there the one whose cgroup path
 * holds the uid counts, and none if neither does.
 */
export function usageLookup({ rows }: CollectedInputs, live: LivePods): UsageOf {
  const usage = valuesByPod(rows.pod_usage, live, 'byName');
  const overlaps = samplesByPod(rows.pod_usage_overlap, live, 'byName');
  return (pod) => {
    const cgroups = overlaps.get(pod);
    const uid = live.living[pod]?.uid;
    if (cgroups === undefined || !uid) return usage[pod];
    return cgroups.find((sample) => isCgroupOf(sample, uid))?.value;
  };
}

/** The systemd driver writes the uid of a cgroup path with underscores (kubelet cm/cgroup_manager_linux.go). */
function isCgroupOf(sample: Sample, uid: string): boolean {
  const id = sample.labels.id ?? '';
  return id.includes(uid) || id.includes(uid.replaceAll('-', '_'));
}
