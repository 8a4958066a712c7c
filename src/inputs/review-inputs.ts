/** What only a capacity review asks for, once, beside the inputs of a refresh. */
import pLimit from 'p-limit';
import { formatDuration } from '../foundation/duration.ts';
import type { PrometheusClient, Sample } from '../prometheus/client.ts';
import { isCanceled, PrometheusError } from '../prometheus/failures.ts';
import { collectOwnerHistory, type OwnerInputs } from './owner-inputs.ts';
import { type LabelKeys, maxBy, type QueryScope, series, sumBy } from './scope.ts';

interface ReviewInput {
  readonly exporter: 'ksm' | 'cadvisor';
  /** @param range PromQL duration of the window. */
  readonly query: (scope: QueryScope, range: string) => string;
  /** What a review lacks without it. */
  readonly cost: string;
}

const podLabels = ({ labels: { ksm } }: QueryScope) => [ksm.cluster, ksm.namespace, ksm.pod, ksm.uid];

function perContainer(metric: string, by: readonly string[], cost: string): ReviewInput {
  return {
    exporter: 'ksm',
    query: (scope) => maxBy([...podLabels(scope), scope.labels.ksm.container, ...by], series(scope, metric)),
    cost,
  };
}

const noClasses = 'QoS classes are not explained, and patches are not made';

/** One row each; the key is the input's id. None is needed for the sizing itself. */
export const reviewInputs = {
  containers: perContainer('kube_pod_container_info', [], noClasses),
  requests: perContainer('kube_pod_container_resource_requests', ['resource'], noClasses),
  limits: perContainer('kube_pod_container_resource_limits', ['resource'], noClasses),
  init_containers: perContainer('kube_pod_init_container_info', ['restart_policy'], noClasses),
  init_requests: perContainer(
    'kube_pod_init_container_resource_requests',
    ['resource'],
    'init containers are not seen',
  ),
  init_limits: perContainer(
    'kube_pod_init_container_resource_limits',
    ['resource'],
    'init containers are not seen',
  ),
  overhead_memory: {
    exporter: 'ksm',
    query: (scope) => maxBy(podLabels(scope), series(scope, 'kube_pod_overhead_memory_bytes')),
    cost: 'the overhead of RuntimeClasses is taken as 0',
  },
  limit_ranges: {
    exporter: 'ksm',
    query: (scope) => {
      const { cluster, namespace } = scope.labels.ksm;
      return maxBy(
        [cluster, namespace, 'limitrange'],
        series(
          scope,
          'kube_limitrange',
          'resource="memory"',
          'type="Container"',
          'constraint="defaultRequest"',
        ),
      );
    },
    cost: 'defaults of LimitRanges are not seen',
  },
  waiting_requests: {
    exporter: 'ksm',
    query: (scope) => {
      const labels = [...podLabels(scope), scope.labels.ksm.container];
      const requests = series(
        scope,
        'kube_pod_container_resource_requests',
        'resource="memory"',
        `${scope.labels.ksm.node}=""`,
      );
      return sumBy(podLabels(scope), maxBy(labels, requests));
    },
    cost: 'pods without a node are not seen',
  },
  // Between its runs a CronJob has no pod: its request is that of the pods that were there.
  job_requests: {
    exporter: 'ksm',
    query: (scope, range) => {
      const pods = podLabels(scope);
      const on = pods.filter((label) => label !== undefined).join(', ');
      const requests = series(scope, 'kube_pod_container_resource_requests', 'resource="memory"');
      const perPod = sumBy(
        pods,
        maxBy([...pods, scope.labels.ksm.container], `max_over_time(${requests}[${range}])`),
      );
      const ofJobs = series(scope, 'kube_pod_info', 'created_by_kind="Job"');
      return `${perPod} and on (${on}) ${maxBy(pods, `max_over_time(${ofJobs}[${range}])`)}`;
    },
    cost: 'CronJobs that do not run just now are not reviewed',
  },
  node_cpu: {
    exporter: 'ksm',
    query: (scope) => {
      const { cluster, node } = scope.labels.ksm;
      return maxBy([cluster, node], series(scope, 'kube_node_status_allocatable', 'resource="cpu"'));
    },
    cost: 'the number of nodes is estimated by memory alone',
  },
} as const satisfies Record<string, ReviewInput>;

export type ReviewInputId = keyof typeof reviewInputs;
const ids = Object.keys(reviewInputs) as readonly ReviewInputId[];

export interface CollectedReviewInput {
  readonly samples: readonly Sample[];
  readonly keys: LabelKeys;
  /** Undefined where it was answered. */
  readonly error: PrometheusError | undefined;
}

export interface CollectedReview {
  readonly rows: Readonly<Record<ReviewInputId, CollectedReviewInput>>;
  /** Whose the pods of Jobs in the window were, those that are gone included; undefined where it was not answered. */
  readonly owners: OwnerInputs | undefined;
}

export interface ReviewQuestion {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly timeMs: number;
  readonly windowMs: number;
}

/** Some of them read a week of samples: two at a time leave the backend to others. */
const concurrency = 2;

/** A question that fails costs what its row says; the review goes on. */
export async function collectReviewInputs(question: ReviewQuestion): Promise<CollectedReview> {
  const { client, scope, timeMs, windowMs } = question;
  const range = formatDuration(windowMs);
  const limit = pLimit(concurrency);
  const owners = limit(() =>
    orError(
      collectOwnerHistory({ client, scope, podMatchers: ['created_by_kind="Job"'], range, endMs: timeMs }),
    ),
  );
  const rows = await Promise.all(
    ids.map(async (id) => {
      const spec: ReviewInput = reviewInputs[id];
      const answer = await limit(() =>
        orError(client.instant({ id: `review_${id}`, query: spec.query(scope, range), timeMs })),
      );
      const row = { keys: scope.labels[spec.exporter] };
      return answer instanceof PrometheusError
        ? ([id, { ...row, samples: [], error: answer }] as const)
        : ([id, { ...row, samples: answer.rows, error: undefined }] as const);
    }),
  );
  const history = await owners;
  return {
    rows: Object.fromEntries(rows) as Record<ReviewInputId, CollectedReviewInput>,
    owners: history instanceof PrometheusError ? undefined : history,
  };
}

async function orError<Answer>(asked: Promise<Answer>): Promise<Answer | PrometheusError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PrometheusError && !isCanceled(error)) return error;
    throw error;
  }
}
