import type { CollectedSizingInputs } from '../inputs/sizing-inputs.ts';
import { clusterOf, joinKey, podKey } from './keys.ts';
import type { WorkloadKey } from './pod.ts';
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

/** Joins kills and autoscalers to the workloads; pure. */
export function joinSizingFacts(inputs: CollectedSizingInputs): SizingFacts {
  const kills = killsByWorkload(inputs);
  const { keys } = inputs;
  const autoscaled = new Set(
    inputs.memoryAutoscalers.map((sample) =>
      joinKey(
        clusterOf(sample, keys),
        sample.labels[keys.namespace],
        sample.labels.scaletargetref_kind,
        sample.labels.scaletargetref_name,
      ),
    ),
  );
  return {
    oomKills: (workload) => (kills === undefined ? undefined : (kills.get(workloadText(workload)) ?? 0)),
    hasMemoryAutoscaler: (workload) => autoscaled.has(workloadText(workload)),
  };
}

export function workloadText({ cluster, namespace, kind, name }: WorkloadKey): string {
  return joinKey(cluster, namespace, kind, name);
}

/** Undefined where kills are not known. */
function killsByWorkload({
  oomKills,
  owners,
  keys,
}: CollectedSizingInputs): ReadonlyMap<string, number> | undefined {
  if (oomKills === undefined) return undefined;
  const kills = new Map<string, number>();
  if (owners === undefined) return kills;
  const workloadOf = workloadLookup(owners);
  const workloads = new Map(
    owners.rows.pods.samples.map((sample) => [podKey(sample, keys), workloadOf(sample)]),
  );
  for (const sample of oomKills) {
    const workload = workloads.get(podKey(sample, keys));
    if (workload === undefined) continue;
    const namespace = sample.labels[keys.namespace] ?? '';
    const key = workloadText({ cluster: clusterOf(sample, keys), namespace, ...workload });
    kills.set(key, (kills.get(key) ?? 0) + sample.value);
  }
  return kills;
}
