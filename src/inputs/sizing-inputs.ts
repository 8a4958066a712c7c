/** What a recommended request depends on beside peaks. It changes slowly and looks at the whole window, so it is asked now and then. */
import { formatDuration } from '../foundation/duration.ts';
import { compareText } from '../foundation/text-order.ts';
import type { PrometheusClient, Sample } from '../prometheus/client.ts';
import { oneOf } from '../prometheus/selector.ts';
import { collectOwnerHistory, type OwnerInputs } from './owner-inputs.ts';
import { type LabelKeys, labelList, maxBy, overRange, type QueryScope, series } from './scope.ts';

export interface SizingInputQuery {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly windowMs: number;
  readonly endMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CollectedSizingInputs {
  readonly keys: LabelKeys;
  /**
   * OOM kills by container in the window; none for a container without any. Undefined where the metric that tells
   * them is not there at all, so that nothing is known.
   */
  readonly oomKills: readonly Sample[] | undefined;
  /** Owners of the pods of `oomKills`, the vanished ones included. */
  readonly owners: OwnerInputs | undefined;
  /** Targets of the autoscalers that scale on memory. */
  readonly memoryAutoscalers: readonly Sample[];
}

const restartsMetric = 'kube_pod_container_status_restarts_total';
const reasonMetric = 'kube_pod_container_status_last_terminated_reason';

/** Restarts are looked at in steps of this length: two in one step are told apart by number, not by reason. */
const killStep = '5m';
/** Keeps a query well below the 16 KiB that VictoriaMetrics takes. */
const podsPerQuery = 100;

/** @throws PrometheusError */
export async function collectSizingInputs(query: SizingInputQuery): Promise<CollectedSizingInputs> {
  const { scope, windowMs } = query;
  const keys = scope.labels.ksm;
  const range = formatDuration(windowMs);
  const [known, killed, memoryAutoscalers] = await Promise.all([
    ask('termination_reasons', `count(${series(scope, reasonMetric)})`, query),
    ask('oom_killed_pods', oomKilledPodsQuery(scope, range), query),
    ask('memory_autoscalers', memoryAutoscalerQuery(scope), query),
  ]);
  const podNames = [...new Set(killed.map(({ labels }) => labels[keys.pod] ?? ''))].sort(compareText);
  if (podNames.length === 0) {
    const isKnown = known.length > 0;
    return { keys, oomKills: isKnown ? [] : undefined, owners: undefined, memoryAutoscalers };
  }
  const matchers = chunksOf(podNames).map((names) => oneOf(keys.pod, names));
  const [oomKills, owners] = await Promise.all([
    Promise.all(matchers.map((matcher) => ask('oom_kills', oomKillsQuery(scope, matcher, range), query))),
    Promise.all(matchers.map((matcher) => collectOwnerHistory({ ...query, podMatchers: [matcher], range }))),
  ]);
  return { keys, oomKills: oomKills.flat(), owners: mergeOwners(owners), memoryAutoscalers };
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
  const info = series(scope, 'kube_horizontalpodautoscaler_info');
  const onMemory = maxBy(
    autoscaler,
    series(scope, 'kube_horizontalpodautoscaler_spec_target_metric', 'metric_name="memory"'),
  );
  return maxBy(
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

function chunksOf(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / podsPerQuery);
  return Array.from({ length: count }, (_, i) => names.slice(i * podsPerQuery, (i + 1) * podsPerQuery));
}

function mergeOwners(parts: readonly OwnerInputs[]): OwnerInputs | undefined {
  return parts.reduce<OwnerInputs | undefined>(
    (all, { rows }) =>
      all === undefined
        ? { rows }
        : {
            rows: {
              ...all.rows,
              pods: { ...all.rows.pods, samples: [...all.rows.pods.samples, ...rows.pods.samples] },
            },
          },
    undefined,
  );
}
