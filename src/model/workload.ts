import type { OwnerInputs } from '../inputs/owner-inputs.ts';
import type { Sample } from '../prometheus/client.ts';
import { clusterOf, joinKey } from './keys.ts';
import type { WorkloadRef } from './pod.ts';

type OwnerInput = OwnerInputs['rows']['pods'];

/**
 * Finds the workload a pod belongs to: the top of its owner chain, or the pod itself. The pods of one workload get one
 * object, so that whoever counts by workload rarely has to compare names.
 */
export type WorkloadOf = (pod: Sample) => WorkloadRef;

/** Controllers that are themselves owned, and where their owners are listed. */
export function workloadLookup({ rows }: OwnerInputs): WorkloadOf {
  // A map, not an object: a kind is whatever a label says, `constructor` too.
  const owners = new Map([
    ['ReplicaSet', ownersBy(rows.replicaset_owner, 'replicaset')],
    ['Job', ownersBy(rows.job_owner, 'job_name')],
  ]);
  const keys = rows.pods.keys;
  const others = new Map<string, WorkloadRef>();
  return (pod) => {
    const kind = given(pod.labels.created_by_kind);
    const name = given(pod.labels.created_by_name);
    if (kind === undefined || name === undefined) return { kind: 'Pod', name: pod.labels[keys.pod] ?? '' };
    const [cluster, namespace] = [clusterOf(pod, keys), pod.labels[keys.namespace]];
    const owner = owners.get(kind)?.get(joinKey(cluster, namespace, name));
    if (owner !== undefined) return owner;
    const key = joinKey(cluster, namespace, kind, name);
    const itself = others.get(key) ?? { kind, name };
    others.set(key, itself);
    return itself;
  };
}

function ownersBy(input: OwnerInput, label: string): ReadonlyMap<string, WorkloadRef> {
  const owners = new Map<string, WorkloadRef>();
  for (const sample of input.samples) {
    const kind = given(sample.labels.owner_kind);
    const name = given(sample.labels.owner_name);
    if (kind === undefined || name === undefined) continue;
    owners.set(
      joinKey(clusterOf(sample, input.keys), sample.labels[input.keys.namespace], sample.labels[label]),
      { kind, name },
    );
  }
  return owners;
}

/** kube-state-metrics writes `<none>` (older versions) or an empty value for an owner that is not there. */
function given(label: string | undefined): string | undefined {
  return label === undefined || label === '' || label === '<none>' ? undefined : label;
}
