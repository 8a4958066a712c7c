import type { CollectedInputs } from '../inputs/collect.ts';
import type { Sample } from '../prometheus/client.ts';
import { podKey } from './keys.ts';
import { samplesBy, valuesBy } from './lookup.ts';

/** Looks up the working set of a pod; undefined = it has none. */
export type UsageOf = (key: string, uid: string | undefined) => number | undefined;

/**
 * Working sets by pod name, except where a recreated pod has two cgroups at once: there the one whose cgroup path
 * holds the uid counts, and none if neither does.
 */
export function usageLookup({ rows }: CollectedInputs): UsageOf {
  const byName = valuesBy(rows.pod_usage, podKey);
  const overlaps = samplesBy(rows.pod_usage_overlap, podKey);
  return (key, uid) => {
    const cgroups = overlaps.get(key);
    if (cgroups === undefined || uid === undefined) return byName.get(key);
    return cgroups.find((sample) => isCgroupOf(sample, uid))?.value;
  };
}

/** The systemd driver writes the uid of a cgroup path with underscores (kubelet cm/cgroup_manager_linux.go). */
function isCgroupOf(sample: Sample, uid: string): boolean {
  const id = sample.labels.id ?? '';
  return id.includes(uid) || id.includes(uid.replaceAll('-', '_'));
}
