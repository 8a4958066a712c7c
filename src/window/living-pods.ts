import type { KnownPods } from '../inputs/shard.ts';
import { joinKey } from '../model/keys.ts';
import type { OwnedPod } from '../model/pod.ts';
import type { PeakRows } from './peak-rows.ts';

// Spelled out rather than through objects: both run once per pod and refresh.
function podRowKey({ cluster, namespace, name }: OwnedPod): string {
  return joinKey(cluster, namespace, name);
}

function ownerRowKey({ cluster, namespace, workload }: OwnedPod): string {
  return joinKey(cluster, namespace, workload.kind, workload.name);
}

/** Gives every living pod a row and its workload the pod's; answers the rows by pod object. */
export function noteLivingPods(rows: PeakRows, pods: readonly OwnedPod[]): ReadonlyMap<object, number> {
  rows.beginRefresh();
  const living = new Map<object, number>();
  for (const pod of pods) {
    const row = rows.podRow(podRowKey(pod));
    living.set(pod, row);
    rows.markLiving(row);
    rows.setOwner(row, ownerRowKey(pod));
  }
  return living;
}

/** Keys of workloads by key of pod. */
export function ownersByPod(pods: readonly OwnedPod[]): ReadonlyMap<string, string> {
  return new Map(pods.map((pod) => [podRowKey(pod), ownerRowKey(pod)]));
}

/** Only put together where something has to be split. */
export function listOnDemand(pods: readonly OwnedPod[]): () => KnownPods {
  let known: Map<string, string[]> | undefined;
  return () => {
    if (known === undefined) {
      known = new Map();
      for (const { namespace, name } of pods) {
        const names = known.get(namespace);
        if (names === undefined) known.set(namespace, [name]);
        else names.push(name);
      }
    }
    return known;
  };
}
