/** What a recommended request depends on beside peaks. It changes slowly and looks at the whole window, so it is asked now and then. */
import { formatDuration } from '../foundation/duration.ts';
import { compareText } from '../foundation/text-order.ts';
import type { PrometheusClient, Sample } from '../prometheus/client.ts';
import { oneOf } from '../prometheus/selector.ts';
import { askByName } from './ask-in-parts.ts';
import { collectOwnersByName, type OwnerInputs } from './owner-inputs.ts';
import { groupBy, type LabelKeys, labelList, maxBy, overRange, type QueryScope, series } from './scope.ts';

/** One row each, for those who ask what is read. */
export const sizingInputs = {
  oom_kills: {
    metrics: [
      'kube_pod_container_status_last_terminated_reason',
      'kube_pod_container_status_restarts_total',
      'kube_pod_info',
      'kube_replicaset_owner',
      'kube_job_owner',
    ],
    cost: 'OOM kills are not known, and the margin is not raised after them.',
  },
  memory_autoscalers: {
    metrics: ['kube_horizontalpodautoscaler_info', 'kube_horizontalpodautoscaler_spec_target_metric'],
    cost: 'Workloads scaled on memory get a recommended request like others.',
  },
} as const;

export interface SizingInputQuery {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly windowMs: number;
  readonly endMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OomKillInputs {
  readonly keys: LabelKeys;
  /**
   * OOM kills by container in the window; none for a container without any. Undefined where the metric that tells
   * them is not there at all, so that nothing is known.
   */
  readonly kills: readonly Sample[] | undefined;
  /** Owners of the pods among them that do not live any more; undefined where there are none. */
  readonly owners: OwnerInputs | undefined;
}

export interface MemoryAutoscalerInputs {
  readonly keys: LabelKeys;
  /** What is scaled on memory. */
  readonly targets: readonly Sample[];
}

const [reasonMetric, restartsMetric] = sizingInputs.oom_kills.metrics;
const [autoscalerMetric, targetMetric] = sizingInputs.memory_autoscalers.metrics;

/** Restarts are looked at in steps of this length: two in one step are told apart by number, not by reason. */
const killStep = '5m';

/**
 * First the few pods that were OOM-killed at all, then their kills: no question reads the window of all containers.
 * @throws PrometheusError
 */
export async function collectOomKills(
  query: SizingInputQuery & { readonly isLiving: (pod: Sample) => boolean },
): Promise<OomKillInputs> {
  const { scope, windowMs, isLiving } = query;
  const keys = scope.labels.ksm;
  const range = formatDuration(windowMs);
  const namesOf = (samples: readonly Sample[]): string[] =>
    [...new Set(samples.map(({ labels }) => labels[keys.pod] ?? ''))].sort(compareText);
  const [known, killed] = await Promise.all([
    ask('termination_reasons', `count(${series(scope, reasonMetric)})`, query),
    ask('oom_killed_pods', oomKilledPodsQuery(scope, range), query),
  ]);
  if (killed.length === 0) return { keys, kills: known.length > 0 ? [] : undefined, owners: undefined };
  const gone = namesOf(killed.filter((pod) => !isLiving(pod)));
  const [kills, owners] = await Promise.all([
    askByName(namesOf(killed), (names) =>
      ask('oom_kills', oomKillsQuery(scope, oneOf(keys.pod, names), range), query),
    ),
    gone.length === 0 ? undefined : collectOwnersByName({ ...query, podNames: gone, range }),
  ]);
  return { keys, kills, owners };
}

/** @throws PrometheusError */
export async function collectMemoryAutoscalers(query: SizingInputQuery): Promise<MemoryAutoscalerInputs> {
  const targets = await ask('memory_autoscalers', memoryAutoscalerQuery(query.scope), query);
  return { keys: query.scope.labels.ksm, targets };
}

function oomKilledPodsQuery(scope: QueryScope, range: string): string {
  const { cluster, namespace, pod } = scope.labels.ksm;
  const reasons = overRange(series(scope, reasonMetric, 'reason="OOMKilled"'), range);
  return `${maxBy([cluster, namespace, pod], reasons)} == 1`;
}

/**
 * Restarts whose reason was OOMKilled right after them. The reason alone would not do: it stays until the container
 * ends another time, so it may be older than the window.
 */
function oomKillsQuery(scope: QueryScope, podMatcher: string, range: string): string {
  const { cluster, namespace, pod, uid, container } = scope.labels.ksm;
  const by = [cluster, namespace, pod, uid, container];
  const restarts = series(scope, restartsMetric, podMatcher);
  const now = maxBy(by, restarts);
  const before = maxBy(by, `${restarts} offset ${killStep}`);
  const reason = `${maxBy(by, series(scope, reasonMetric, 'reason="OOMKilled"', podMatcher))} == 1`;
  return `sum_over_time(((${now} - ${before} > 0) and on (${labelList(by)}) (${reason}))[${range}:${killStep}])`;
}

/** kubernetes/kube-state-metrics `internal/store/horizontalpodautoscaler.go`. */
function memoryAutoscalerQuery(scope: QueryScope): string {
  const { cluster, namespace } = scope.labels.ksm;
  const autoscaler = [cluster, namespace, 'horizontalpodautoscaler'];
  const info = series(scope, autoscalerMetric);
  const onMemory = maxBy(autoscaler, series(scope, targetMetric, 'metric_name="memory"'));
  return groupBy(
    [cluster, namespace, 'scaletargetref_kind', 'scaletargetref_name'],
    `${info} and on (${labelList(autoscaler)}) ${onMemory}`,
  );
}

async function ask(id: string, query: string, to: SizingInputQuery): Promise<readonly Sample[]> {
  const { client, endMs, signal } = to;
  const answer = await client.instant({
    id,
    query,
    timeMs: endMs,
    ...(signal === undefined ? {} : { signal }),
  });
  return answer.rows;
}
