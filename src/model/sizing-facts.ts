import type { MemoryAutoscalerInputs, OomKillInputs } from '../inputs/sizing-inputs.ts';
import { clusterOf, joinKey, podKey } from './keys.ts';
import type { OwnedPod, WorkloadKey } from './pod.ts';
import { workloadLookup } from './workload.ts';

/** What a recommended request depends on beside the peaks of the workload. Undefined where it is not known. */
export interface SizingFacts {
  /** OOM kills of its containers in the window, those of pods that are gone included. */
  oomKills(workload: WorkloadKey): number | undefined;
  /** Whether a HorizontalPodAutoscaler scales it on memory. */
  hasMemoryAutoscaler(workload: WorkloadKey): boolean | undefined;
}

/** Nobody was asked, or nobody answered. */
export const noSizingFacts: SizingFacts = {
  oomKills: () => undefined,
  hasMemoryAutoscaler: () => undefined,
};

export function workloadText({ cluster, namespace, kind, name }: WorkloadKey): string {
  return joinKey(cluster, namespace, kind, name);
}

/**
 * Joins kills to workloads; pure.
 * @param pods those that live; the owners of the others are in the inputs.
 */
export function joinOomKills(
  { kills, owners, keys }: OomKillInputs,
  pods: readonly OwnedPod[],
): SizingFacts['oomKills'] {
  if (kills === undefined) return () => undefined;
  const byPod = new Map<string, number>();
  for (const sample of kills) {
    const key = podKey(sample, keys);
    if (key !== undefined) byPod.set(key, (byPod.get(key) ?? 0) + sample.value);
  }
  const workloads = new Map<string, string>();
  const workloadOf = owners === undefined ? undefined : workloadLookup(owners);
  for (const sample of owners?.rows.pods.samples ?? []) {
    const key = podKey(sample, keys);
    const workload = workloadOf?.(sample);
    if (key === undefined || workload === undefined || !byPod.has(key)) continue;
    const namespace = sample.labels[keys.namespace] ?? '';
    workloads.set(key, workloadText({ cluster: clusterOf(sample, keys), namespace, ...workload }));
  }
  for (const { cluster, namespace, name, workload } of pods) {
    const key = joinKey(cluster, namespace, name);
    if (byPod.has(key)) workloads.set(key, workloadText({ cluster, namespace, ...workload }));
  }
  const sums = new Map<string, number>();
  for (const [pod, count] of byPod) {
    const workload = workloads.get(pod);
    if (workload !== undefined) sums.set(workload, (sums.get(workload) ?? 0) + count);
  }
  return (workload) => sums.get(workloadText(workload)) ?? 0;
}

/** Joins autoscalers to what they scale; pure. */
export function joinMemoryAutoscalers({
  keys,
  targets,
}: MemoryAutoscalerInputs): SizingFacts['hasMemoryAutoscaler'] {
  const scaled = new Set(
    targets.map((sample) =>
      joinKey(
        clusterOf(sample, keys),
        sample.labels[keys.namespace],
        sample.labels.scaletargetref_kind,
        sample.labels.scaletargetref_name,
      ),
    ),
  );
  return (workload) => scaled.has(workloadText(workload));
}
