import type { CollectedReview, ReviewInputId } from '../inputs/review-inputs.ts';
import type { LabelKeys } from '../inputs/scope.ts';
import type { PodSpec } from '../kubelet/pod-spec.ts';
import type { Sample } from '../prometheus/client.ts';
import { PrometheusError } from '../prometheus/failures.ts';
import { clusterOf, generationKey, joinKey, podKey } from './keys.ts';
import type { Pod, WorkloadKey } from './pod.ts';
import { containersOf, quantityOf } from './pod-detail.ts';
import { gapsOf, neededForSpecs } from './review-gaps.ts';

/** A pod no node has been found for. */
export interface WaitingPod {
  readonly cluster: string | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly requestBytes: number;
}

/** What only a review asks for, joined. Everything is undefined where it is not known. */
export interface WorkloadFacts {
  /** Containers with their requests and limits. */
  specOf(pod: Pod): PodSpec | undefined;
  /** Requests that LimitRanges of the namespace give to containers without one. */
  defaultRequestsBytes(workload: WorkloadKey): readonly number[];
  nodeCpuCores(node: { readonly cluster: string | undefined; readonly name: string }): number | undefined;
  readonly waitingPods: readonly WaitingPod[];
  /** CronJobs between two runs, with what a pod of their last run requested. */
  readonly restingCronJobs: readonly { readonly workload: WorkloadKey; readonly requestBytes: number }[];
  /** What was not answered and what that costs, one sentence each. */
  readonly gaps: readonly string[];
}

const idsOfSpecs = [
  ...neededForSpecs,
  'init_containers',
  'init_requests',
  'init_limits',
  'overhead_memory',
] as const satisfies readonly ReviewInputId[];

/** Joins the answers; pure. */
export function joinWorkloadFacts(collected: CollectedReview): WorkloadFacts {
  const { rows } = collected;
  const keys = rows.containers.keys;
  const label = (sample: Sample, name: string): string => sample.labels[name] ?? '';
  const defaults = groupBy(rows.limit_ranges.samples, (sample) =>
    joinKey(clusterOf(sample, keys), label(sample, keys.namespace)),
  );
  const cpu = new Map(
    rows.node_cpu.samples.map((sample) => [
      joinKey(clusterOf(sample, keys), label(sample, keys.node)),
      sample.value,
    ]),
  );

  return {
    specOf: specLookup(collected),
    defaultRequestsBytes: ({ cluster, namespace }) =>
      (defaults.get(joinKey(cluster, namespace)) ?? []).map(({ value }) => value),
    nodeCpuCores: ({ cluster, name }) => cpu.get(joinKey(cluster, name)),
    waitingPods: rows.waiting_requests.samples.map((sample) => ({
      cluster: clusterOf(sample, keys),
      namespace: label(sample, keys.namespace),
      name: label(sample, keys.pod),
      requestBytes: sample.value,
    })),
    restingCronJobs: restingCronJobsOf(collected),
    gaps: gapsOf(collected),
  };
}

/** Specs of pods, as far as resources go; none where requests or limits are not known. */
function specLookup({ rows }: CollectedReview): WorkloadFacts['specOf'] {
  // A metric that is exported nowhere must not be taken for pods that set nothing.
  if (neededForSpecs.some((id) => rows[id].samples.length === 0)) return () => undefined;
  const { keys } = rows.containers;
  const group = (id: ReviewInputId) =>
    groupBy(rows[id].samples, (sample) => generationKey(sample, rows[id].keys));
  const specs = {
    containers: group('containers'),
    requests: group('requests'),
    limits: group('limits'),
    initContainers: group('init_containers'),
    initRequests: group('init_requests'),
    initLimits: group('init_limits'),
    overheads: group('overhead_memory'),
  };
  // A limit that came as NaN is none that is not set.
  const lost = new Set(
    idsOfSpecs.flatMap((id) => rows[id].dropped.map((labels) => generationKey({ labels }, rows[id].keys))),
  );

  return ({ cluster, namespace, name, uid }) => {
    const key = joinKey(cluster, namespace, name, uid);
    if (lost.has(key)) return undefined;
    const containers = containersOf(
      specs.containers.get(key) ?? [],
      specs.requests.get(key) ?? [],
      specs.limits.get(key) ?? [],
      keys.container,
    );
    if (containers.length === 0) return undefined;
    const inits = specs.initContainers.get(key) ?? [];
    const policies = new Map(inits.map(({ labels }) => [labels[keys.container], labels.restart_policy]));
    const overhead = specs.overheads.get(key)?.[0];
    return {
      containers,
      initContainers: containersOf(
        inits,
        specs.initRequests.get(key) ?? [],
        specs.initLimits.get(key) ?? [],
        keys.container,
      )
        .map((container) => ({ ...container, isSidecar: policies.get(container.name) === 'Always' }))
        .toSorted((a, b) => Number(b.isSidecar) - Number(a.isSidecar)),
      ...(overhead === undefined ? {} : { overhead: { memory: quantityOf('memory', overhead.value) } }),
    };
  };
}

/** With the largest request of the pods of their last Job. */
function restingCronJobsOf({ rows, restingJobs }: CollectedReview): WorkloadFacts['restingCronJobs'] {
  if (restingJobs instanceof PrometheusError) return [];
  const { keys, lastJobs, pods, requests, dropped } = restingJobs;
  const requestByPod = new Map<string | undefined, number | undefined>([
    ...requests.map((sample) => [podKey(sample, keys), sample.value] as const),
    ...dropped.map((labels) => [podKey({ labels }, keys), undefined] as const),
  ]);
  // A pod without a series requests nothing, where others have theirs.
  const without = rows.requests.samples.length > 0 ? 0 : undefined;
  const requestByJob = new Map<string, number>();
  for (const pod of pods) {
    const key = podKey(pod, keys);
    const bytes = requestByPod.has(key) ? requestByPod.get(key) : without;
    const job = jobKey(pod, keys, pod.labels.created_by_name);
    if (bytes !== undefined) requestByJob.set(job, Math.max(bytes, requestByJob.get(job) ?? 0));
  }
  return lastJobs.flatMap((job) => {
    const requestBytes = requestByJob.get(jobKey(job, keys, job.labels.job_name));
    const namespace = job.labels[keys.namespace];
    const name = job.labels.owner_name;
    if (requestBytes === undefined || namespace === undefined || name === undefined) return [];
    return [{ workload: { cluster: clusterOf(job, keys), namespace, kind: 'CronJob', name }, requestBytes }];
  });
}

function jobKey(sample: Sample, keys: LabelKeys, name: string | undefined): string {
  return joinKey(clusterOf(sample, keys), sample.labels[keys.namespace], name);
}

function groupBy(
  samples: readonly Sample[],
  keyOf: (sample: Sample) => string | undefined,
): ReadonlyMap<string, readonly Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = keyOf(sample);
    if (key === undefined) continue;
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [sample]);
    else own.push(sample);
  }
  return groups;
}
