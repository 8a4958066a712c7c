import type { PrometheusClient, Sample } from '../prometheus/client.ts';
import { type LabelKeys, maxBy, narrow, overRange, type QueryScope, series } from './scope.ts';

interface OwnerInput {
  readonly samples: readonly Sample[];
  readonly keys: LabelKeys;
}

/** The inputs that tell which workload a pod belongs to. */
export interface OwnerInputs {
  readonly rows: Readonly<Record<'pods' | 'replicaset_owner' | 'job_owner', OwnerInput>>;
}

/** @param range also those that were there at any time in the range that ends at the evaluation time. */
export function replicaSetOwnerQuery(scope: QueryScope, range?: string): string {
  return ownerQuery(scope, { metric: 'kube_replicaset_owner', ownedLabel: 'replicaset', range });
}

/** @param range also those that were there at any time in the range that ends at the evaluation time. */
export function jobOwnerQuery(scope: QueryScope, range?: string): string {
  return ownerQuery(scope, { metric: 'kube_job_owner', ownedLabel: 'job_name', range });
}

function ownerQuery(
  scope: QueryScope,
  owned: { metric: string; ownedLabel: string; range: string | undefined },
): string {
  const { cluster, namespace } = scope.labels.ksm;
  return maxBy(
    [cluster, namespace, owned.ownedLabel, 'owner_kind', 'owner_name'],
    overRange(series(scope, owned.metric, 'owner_is_controller="true"'), owned.range),
  );
}

function podCreatorQuery(scope: QueryScope, range: string): string {
  const { cluster, namespace, pod, node } = scope.labels.ksm;
  return maxBy(
    [cluster, namespace, pod, 'created_by_kind', 'created_by_name'],
    overRange(series(scope, 'kube_pod_info', `${node}!=""`), range),
  );
}

/**
 * Owners as they were over a past range: of pods, ReplicaSets and Jobs that may be long gone.
 * @throws PrometheusError
 */
export async function collectOwnerHistory(past: {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  /** Which pods, beside the scope; ReplicaSets and Jobs have no label to tell pods apart. */
  readonly podMatchers: readonly string[];
  readonly range: string;
  readonly endMs: number;
  readonly signal?: AbortSignal | undefined;
}): Promise<OwnerInputs> {
  const { client, scope, podMatchers, range, endMs, signal } = past;
  const ask = async (query: string): Promise<OwnerInput> => {
    const answer = await client.instant({
      id: 'owner_history',
      query,
      timeMs: endMs,
      ...(signal === undefined ? {} : { signal }),
    });
    return { samples: answer.rows, keys: scope.labels.ksm };
  };
  const [pods, replicaSetOwners, jobOwners] = await Promise.all([
    ask(podCreatorQuery(narrow(scope, podMatchers), range)),
    ask(replicaSetOwnerQuery(scope, range)),
    ask(jobOwnerQuery(scope, range)),
  ]);
  return { rows: { pods, replicaset_owner: replicaSetOwners, job_owner: jobOwners } };
}
