import { formatDuration } from '../foundation/duration.ts';
import { compareText } from '../foundation/text-order.ts';
import type { Labels, PrometheusClient, Sample } from '../prometheus/client.ts';
import { labelMatcher, oneOf } from '../prometheus/selector.ts';
import { askByName } from './ask-in-parts.ts';
import { jobOwnerQuery } from './owner-inputs.ts';
import {
  groupBy,
  type LabelKeys,
  maxBy,
  narrow,
  overRange,
  type QueryScope,
  series,
  sumBy,
} from './scope.ts';

/** Between its runs a CronJob has no pod; its last Job, and what the pods of that requested, are all there is. */
export interface RestingJobInputs {
  readonly keys: LabelKeys;
  /** The last Job of each CronJob that rests, with the CronJob as `owner_name`. */
  readonly lastJobs: readonly Sample[];
  /** Pods of these Jobs, with the Job as `created_by_name`. */
  readonly pods: readonly Sample[];
  /** Memory requests of these pods; none for a pod without a request. */
  readonly requests: readonly Sample[];
  /** Pods whose request came as NaN, infinite or too large: not known. */
  readonly dropped: readonly Labels[];
}

/** One row, for those who ask what is read. */
export const restingJobInput = {
  metrics: ['kube_job_owner', 'kube_pod_info', 'kube_pod_container_resource_requests'],
  cost: 'CronJobs that do not run just now are not reviewed',
} as const;

/**
 * Asks for the last Jobs alone: over the window a CronJob may have had thousands of pods.
 * @param isRunning whether a CronJob, told by one of its Jobs, has pods now.
 * @throws PrometheusError
 */
export async function collectRestingJobs({
  client,
  scope,
  timeMs,
  windowMs,
  isRunning,
}: {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly timeMs: number;
  readonly windowMs: number;
  readonly isRunning: (job: Sample) => boolean;
}): Promise<RestingJobInputs> {
  const keys = scope.labels.ksm;
  const range = formatDuration(windowMs);
  const dropped: Labels[] = [];
  const ask = async (query: string): Promise<readonly Sample[]> => {
    const answer = await client.instant({ id: 'review_resting_jobs', query, timeMs });
    for (const labels of answer.droppedLabels) dropped.push(labels);
    return answer.rows;
  };
  const ofCronJobs = narrow(scope, [labelMatcher('owner_kind', '=', 'CronJob')]);
  const jobs = await ask(jobOwnerQuery(ofCronJobs, range));
  const lastJobs = lastOfEach(
    jobs.filter((job) => !isRunning(job)),
    keys,
  );
  const podLabels = [keys.cluster, keys.namespace, keys.pod];
  const pods = await askByName(valuesOf(lastJobs, 'job_name'), (names) => {
    const info = series(scope, 'kube_pod_info', 'created_by_kind="Job"', oneOf('created_by_name', names));
    return ask(groupBy([...podLabels, 'created_by_name'], overRange(info, range)));
  });
  const requests = await askByName(valuesOf(pods, keys.pod), (names) => {
    const memory = series(
      scope,
      'kube_pod_container_resource_requests',
      'resource="memory"',
      oneOf(keys.pod, names),
    );
    return ask(sumBy(podLabels, maxBy([...podLabels, keys.container], overRange(memory, range))));
  });
  return { keys, lastJobs, pods, requests, dropped };
}

/** The controller ends a Job's name with the minute it was meant for, so the last one has the highest name. */
function lastOfEach(jobs: readonly Sample[], keys: LabelKeys): Sample[] {
  const last = new Map<string, Sample>();
  for (const job of jobs) {
    const { labels } = job;
    const cronJob = JSON.stringify([
      keys.cluster && labels[keys.cluster],
      labels[keys.namespace],
      labels.owner_name,
    ]);
    const before = last.get(cronJob);
    if (before === undefined || isHigher(labels.job_name ?? '', before.labels.job_name ?? '')) {
      last.set(cronJob, job);
    }
  }
  return [...last.values()];
}

function isHigher(name: string, other: string): boolean {
  return name.length === other.length ? name > other : name.length > other.length;
}

function valuesOf(samples: readonly Sample[], label: string): string[] {
  return [...new Set(samples.map(({ labels }) => labels[label] ?? ''))].sort(compareText);
}
