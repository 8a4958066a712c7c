/** What only a capacity review asks for, once, beside the inputs of a refresh. */
import pLimit from 'p-limit';
import type { Labels, PrometheusClient, Sample } from '../prometheus/client.ts';
import { isCanceled, PrometheusError } from '../prometheus/failures.ts';
import { askByShard } from './ask-in-parts.ts';
import { collectRestingJobs, type RestingJobInputs } from './job-inputs.ts';
import { type LabelKeys, maxBy, narrow, type QueryScope, series, sumBy } from './scope.ts';
import { type KnownPods, shardMatchers } from './shard.ts';

export interface ReviewInput {
  readonly metric: string;
  /** Of the metric within the scope, at one time. */
  readonly query: (scope: QueryScope) => string;
  /** Whether it has series for each pod, so that pods can be asked for in parts. */
  readonly isPerPod: boolean;
  /** What a review lacks without it. */
  readonly cost: string;
}

const podLabels = ({ labels: { ksm } }: QueryScope) => [ksm.cluster, ksm.namespace, ksm.pod, ksm.uid];

function perContainer(metric: string, by: readonly string[], cost: string): ReviewInput {
  return {
    metric,
    query: (scope) => maxBy([...podLabels(scope), scope.labels.ksm.container, ...by], series(scope, metric)),
    isPerPod: true,
    cost,
  };
}

const noClasses =
  'QoS classes are not explained, patches are not made, and the number of nodes needed is not estimated';

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
    metric: 'kube_pod_overhead_memory_bytes',
    query: (scope) => maxBy(podLabels(scope), series(scope, 'kube_pod_overhead_memory_bytes')),
    isPerPod: true,
    cost: 'the overhead of RuntimeClasses is taken as 0',
  },
  limit_ranges: {
    metric: 'kube_limitrange',
    isPerPod: false,
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
    metric: 'kube_pod_container_resource_requests',
    // Few pods wait, and those that do are none of the known ones.
    isPerPod: false,
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
  node_cpu: {
    metric: 'kube_node_status_allocatable',
    isPerPod: false,
    query: (scope) => {
      const { cluster, node } = scope.labels.ksm;
      return maxBy([cluster, node], series(scope, 'kube_node_status_allocatable', 'resource="cpu"'));
    },
    cost: 'the number of nodes needed is not estimated',
  },
} as const satisfies Record<string, ReviewInput>;

export type ReviewInputId = keyof typeof reviewInputs;
const ids = Object.keys(reviewInputs) as readonly ReviewInputId[];

export interface CollectedReviewInput {
  readonly samples: readonly Sample[];
  /** Whose samples came and could not be used: unknown, which is not the same as not there. */
  readonly dropped: readonly Labels[];
  readonly keys: LabelKeys;
  /** Undefined where it was answered. */
  readonly error: PrometheusError | undefined;
}

export interface CollectedReview {
  readonly rows: Readonly<Record<ReviewInputId, CollectedReviewInput>>;
  /** CronJobs between two runs, or why they are not known. */
  readonly restingJobs: RestingJobInputs | PrometheusError;
}

export interface ReviewQuestion {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly timeMs: number;
  readonly windowMs: number;
  /** How the pods are spread, for questions that have to be split. */
  readonly knownPods: KnownPods;
  /** Whether a CronJob, told by one of its Jobs, has pods now. */
  readonly isRunning: (job: Sample) => boolean;
}

/** Two at a time leave the backend to others. */
const concurrency = 2;

/** A question that fails costs what its row says; the review goes on. */
export async function collectReviewInputs(question: ReviewQuestion): Promise<CollectedReview> {
  const limit = pLimit(concurrency);
  const restingJobs = limit(() => orError(collectRestingJobs(question)));
  const rows = await Promise.all(
    ids.map(async (id) => {
      const answer = await limit(() => orError(askInput(id, question)));
      const row = { keys: question.scope.labels.ksm };
      return answer instanceof PrometheusError
        ? ([id, { ...row, samples: [], dropped: [], error: answer }] as const)
        : ([id, { ...row, ...answer, error: undefined }] as const);
    }),
  );
  return {
    rows: Object.fromEntries(rows) as Record<ReviewInputId, CollectedReviewInput>,
    restingJobs: await restingJobs,
  };
}

async function askInput(
  id: ReviewInputId,
  { client, scope, timeMs, knownPods }: ReviewQuestion,
): Promise<Pick<CollectedReviewInput, 'samples' | 'dropped'>> {
  const { query, isPerPod }: ReviewInput = reviewInputs[id];
  const dropped: Labels[] = [];
  const ask = async (asked: QueryScope): Promise<readonly Sample[]> => {
    const answer = await client.instant({ id: `review_${id}`, query: query(asked), timeMs });
    for (const labels of answer.droppedLabels) dropped.push(labels);
    return answer.rows;
  };
  const samples = isPerPod
    ? await askByShard(knownPods, (shard) =>
        ask(narrow(scope, shardMatchers(shard, scope.labels.ksm, { pods: true }))),
      )
    : await ask(scope);
  return { samples, dropped };
}

async function orError<Answer>(asked: Promise<Answer>): Promise<Answer | PrometheusError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PrometheusError && !isCanceled(error)) return error;
    throw error;
  }
}
