import type { WorkloadRef } from '../../model/pod.ts';
import type { DemoCluster } from './description.ts';

/** A controller that owns pods, and how long it was there: from its first pod to its last. */
export interface PodOwner {
  readonly namespace: string;
  readonly owner: WorkloadRef;
  readonly workload: WorkloadRef;
  readonly createdMs: number;
  readonly deletedMs: number | undefined;
}

/** Every controller named in a pod, once. */
export function podOwnersOf(cluster: DemoCluster): readonly PodOwner[] {
  const owners = new Map<string, PodOwner>();
  for (const { namespace, owner, workload, createdMs, deletedMs } of cluster.pods) {
    if (owner === undefined) {
      continue;
    }
    const key = `${namespace}/${owner.kind}/${owner.name}`;
    const known = owners.get(key);
    owners.set(key, {
      namespace,
      owner,
      workload,
      createdMs: Math.min(createdMs, known?.createdMs ?? createdMs),
      deletedMs: known === undefined ? deletedMs : laterOf(known.deletedMs, deletedMs),
    });
  }
  return [...owners.values()];
}

function laterOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}
