/** What is asked about one pod only when somebody looks at it: its containers with their requests and limits. */
import type { Answer, PrometheusClient, Sample } from '../prometheus/client.ts';
import { isCanceled, PrometheusError } from '../prometheus/failures.ts';
import { labelMatcher } from '../prometheus/selector.ts';
import { type LabelKeys, maxBy, type QueryScope, series } from './scope.ts';

interface DetailInput {
  /** Of kube-state-metrics. */
  readonly metric: string;
  /** Labels that tell the series of one pod apart, besides the container. */
  readonly by: readonly string[];
  readonly isPerContainer: boolean;
  /** `abort`: nothing sound can be said without it. `degrade`: said without it, and told. */
  readonly onFailure: 'abort' | 'degrade';
  /** True where a metric that exists nowhere must not be taken for a pod that sets nothing. */
  readonly mustExist: boolean;
}

function perContainer(metric: string, by: readonly string[], rest: Partial<DetailInput> = {}): DetailInput {
  return { metric, by, isPerContainer: true, onFailure: 'abort', mustExist: false, ...rest };
}

export const podDetailInputs = {
  containers: perContainer('kube_pod_container_info', []),
  requests: perContainer('kube_pod_container_resource_requests', ['resource'], { mustExist: true }),
  limits: perContainer('kube_pod_container_resource_limits', ['resource'], { mustExist: true }),
  // The label restart_policy tells sidecars; kube-state-metrics has it since 2.11.
  init_containers: perContainer('kube_pod_init_container_info', ['restart_policy']),
  init_requests: perContainer('kube_pod_init_container_resource_requests', ['resource']),
  init_limits: perContainer('kube_pod_init_container_resource_limits', ['resource']),
  overhead_memory: {
    metric: 'kube_pod_overhead_memory_bytes',
    by: [],
    isPerContainer: false,
    onFailure: 'degrade',
    mustExist: false,
  },
  restart_policy: {
    metric: 'kube_pod_restart_policy',
    by: ['type'],
    isPerContainer: false,
    onFailure: 'degrade',
    mustExist: false,
  },
  last_terminated: perContainer('kube_pod_container_status_last_terminated_reason', ['reason'], {
    onFailure: 'degrade',
  }),
} as const satisfies Record<string, DetailInput>;

export type PodDetailInputId = keyof typeof podDetailInputs;

const ids = Object.keys(podDetailInputs) as readonly PodDetailInputId[];

/** Which pod; the uid keeps an earlier pod of the same name out. */
export interface PodIdentity {
  readonly cluster: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
}

export interface CollectedPodDetail {
  readonly keys: LabelKeys;
  readonly rows: Readonly<Record<PodDetailInputId, readonly Sample[]>>;
  /** Inputs without which the rest is still sound, but which failed. */
  readonly failed: readonly PodDetailInputId[];
  /** Inputs of which samples came as NaN, infinite or too large: not known, rather than not set. */
  readonly dropped: readonly PodDetailInputId[];
  /** Metrics that must exist and of which there is no series at all. */
  readonly missingMetrics: readonly string[];
}

export interface PodDetailQuery {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly pod: PodIdentity;
  readonly timeMs: number;
  readonly signal?: AbortSignal;
}

/** @throws PrometheusError of the first query that nothing can be said without; the others are cancelled. */
export async function collectPodDetail(query: PodDetailQuery): Promise<CollectedPodDetail> {
  const abort = new AbortController();
  const signal = query.signal === undefined ? abort.signal : AbortSignal.any([query.signal, abort.signal]);
  try {
    return await collectAll({ ...query, signal });
  } catch (error) {
    abort.abort();
    throw error;
  }
}

async function collectAll(query: PodDetailQuery): Promise<CollectedPodDetail> {
  const collected = await Promise.all(ids.map(async (id) => [id, await askFor(id, query)] as const));
  const missing = await Promise.all(
    collected.map(async ([id, answer]) => {
      const { metric, mustExist } = podDetailInputs[id];
      const isEmpty = answer?.rows.length === 0 && answer.droppedPoints === 0;
      const isMissing = mustExist && isEmpty && !(await exists(metric, query));
      return isMissing ? [metric] : [];
    }),
  );
  return {
    keys: query.scope.labels.ksm,
    rows: Object.fromEntries(collected.map(([id, answer]) => [id, answer?.rows ?? []])) as Record<
      PodDetailInputId,
      readonly Sample[]
    >,
    failed: collected.filter(([, answer]) => answer === undefined).map(([id]) => id),
    dropped: collected.filter(([, answer]) => (answer?.droppedPoints ?? 0) > 0).map(([id]) => id),
    missingMetrics: missing.flat(),
  };
}

/** PromQL for one input of one pod. Every name in it is escaped. */
export function podDetailQuery(id: PodDetailInputId, scope: QueryScope, pod: PodIdentity): string {
  const { metric, by, isPerContainer }: DetailInput = podDetailInputs[id];
  const keys = scope.labels.ksm;
  const matchers = [
    labelMatcher(keys.namespace, '=', pod.namespace),
    labelMatcher(keys.pod, '=', pod.name),
    ...(pod.uid === undefined ? [] : [labelMatcher(keys.uid, '=', pod.uid)]),
    ...(pod.cluster === undefined || keys.cluster === undefined
      ? []
      : [labelMatcher(keys.cluster, '=', pod.cluster)]),
  ];
  return maxBy([...(isPerContainer ? [keys.container] : []), ...by], series(scope, metric, ...matchers));
}

/** Undefined where the query failed and its input can be done without. */
async function askFor(id: PodDetailInputId, query: PodDetailQuery): Promise<Answer<Sample> | undefined> {
  const spec: DetailInput = podDetailInputs[id];
  try {
    return await ask(`pod_detail_${id}`, podDetailQuery(id, query.scope, query.pod), query);
  } catch (error) {
    if (spec.onFailure === 'degrade' && error instanceof PrometheusError && !isCanceled(error))
      return undefined;
    throw error;
  }
}

async function exists(metric: string, query: PodDetailQuery): Promise<boolean> {
  const counted = await ask('pod_detail_metric_exists', `count(${series(query.scope, metric)})`, query);
  return counted.rows.length > 0;
}

function ask(id: string, query: string, { client, timeMs, signal }: PodDetailQuery): Promise<Answer<Sample>> {
  return client.instant({ id, query, timeMs, ...(signal === undefined ? {} : { signal }) });
}
