import type { PrometheusClient, Sample } from '../prometheus/client.ts';
import { oneOf } from '../prometheus/selector.ts';
import { askByName } from './ask-in-parts.ts';
import { groupBy, type LabelKeys, narrow, overRange, type QueryScope, series } from './scope.ts';

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
  return groupBy(
    [cluster, namespace, owned.ownedLabel, 'owner_kind', 'owner_name'],
    overRange(series(scope, owned.metric, 'owner_is_controller="true"'), owned.range),
  );
}

function podCreatorQuery(scope: QueryScope, range: string): string {
  const { cluster, namespace, pod, node } = scope.labels.ksm;
  return groupBy(
    [cluster, namespace, pod, 'created_by_kind', 'created_by_name'],
    overRange(series(scope, 'kube_pod_info', `${node}!=""`), range),
  );
}

interface Past {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly range: string;
  readonly endMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Owners as they were over a past range: of pods, ReplicaSets and Jobs that may be long gone.
 * @throws PrometheusError
 */
export async function collectOwnerHistory(
  past: Past & {
    /** Which pods, beside the scope; ReplicaSets and Jobs have no label to tell pods apart. */
    readonly podMatchers: readonly string[];
  },
): Promise<OwnerInputs> {
  const { scope, podMatchers, range } = past;
  const [pods, replicaSetOwners, jobOwners] = await Promise.all([
    ask(past, podCreatorQuery(narrow(scope, podMatchers), range)),
    ask(past, replicaSetOwnerQuery(scope, range)),
    ask(past, jobOwnerQuery(scope, range)),
  ]);
  return ownersOf(past, { pods, replicaSetOwners, jobOwners });
}

/**
 * The same for pods of these names. ReplicaSets and Jobs are asked for by name, too: over a whole window a large
 * cluster has more of them than pods.
 * @throws PrometheusError
 */
export async function collectOwnersByName(
  past: Past & { readonly podNames: readonly string[] },
): Promise<OwnerInputs> {
  const { scope, podNames, range } = past;
  const askNames = (label: string, names: readonly string[], query: (narrowed: QueryScope) => string) =>
    askByName(names, (some) => ask(past, query(narrow(scope, [oneOf(label, some)]))));
  const pods = await askNames(scope.labels.ksm.pod, podNames, (narrowed) => podCreatorQuery(narrowed, range));
  const creators = (kind: string): string[] => [
    ...new Set(
      pods
        .filter(({ labels }) => labels.created_by_kind === kind)
        .map(({ labels }) => labels.created_by_name ?? ''),
    ),
  ];
  const [replicaSetOwners, jobOwners] = await Promise.all([
    askNames('replicaset', creators('ReplicaSet'), (narrowed) => replicaSetOwnerQuery(narrowed, range)),
    askNames('job_name', creators('Job'), (narrowed) => jobOwnerQuery(narrowed, range)),
  ]);
  return ownersOf(past, { pods, replicaSetOwners, jobOwners });
}

async function ask({ client, endMs, signal }: Past, query: string): Promise<readonly Sample[]> {
  const answer = await client.instant({
    id: 'owner_history',
    query,
    timeMs: endMs,
    ...(signal === undefined ? {} : { signal }),
  });
  return answer.rows;
}

function ownersOf(
  { scope }: Past,
  {
    pods,
    replicaSetOwners,
    jobOwners,
  }: Readonly<Record<'pods' | 'replicaSetOwners' | 'jobOwners', readonly Sample[]>>,
): OwnerInputs {
  const input = (samples: readonly Sample[]): OwnerInput => ({ samples, keys: scope.labels.ksm });
  return {
    rows: {
      pods: input(pods),
      replicaset_owner: input(replicaSetOwners),
      job_owner: input(jobOwners),
    },
  };
}
