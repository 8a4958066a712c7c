import { type CollectedReview, type ReviewInputId, reviewInputs } from '../inputs/review-inputs.ts';
import type { PodSpec } from '../kubelet/pod-spec.ts';
import type { Sample } from '../prometheus/client.ts';
import { clusterOf, generationKey, joinKey, podKey } from './keys.ts';
import type { Pod, WorkloadKey } from './pod.ts';
import { containersOf, quantityOf } from './pod-detail.ts';
import { workloadText } from './sizing-facts.ts';
import { workloadLookup } from './workload.ts';

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
  /** Workloads that had pods of Jobs in the window, with the largest request of one of them. */
  readonly jobWorkloads: readonly { readonly workload: WorkloadKey; readonly requestBytes: number }[];
  /** What was not answered and what that costs, one sentence each. */
  readonly gaps: readonly string[];
}

const neededForSpecs = ['containers', 'requests', 'limits'] as const satisfies readonly ReviewInputId[];

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
    jobWorkloads: jobWorkloadsOf(collected),
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

  return ({ cluster, namespace, name, uid }) => {
    const key = joinKey(cluster, namespace, name, uid);
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

/** The largest request of any pod of each workload of Jobs, pods that are gone included. */
function jobWorkloadsOf({ rows, owners }: CollectedReview): WorkloadFacts['jobWorkloads'] {
  if (owners === undefined) return [];
  const { pods } = owners.rows;
  const workloadOf = workloadLookup(owners);
  const refs = new Map(pods.samples.map((sample) => [podKey(sample, pods.keys), workloadOf(sample)]));
  const largest = new Map<string, { workload: WorkloadKey; requestBytes: number }>();
  const { samples, keys } = rows.job_requests;
  for (const sample of samples) {
    const ref = refs.get(podKey(sample, keys));
    if (ref === undefined) continue;
    const namespace = sample.labels[keys.namespace] ?? '';
    const workload = { cluster: clusterOf(sample, keys), namespace, ...ref };
    const before = largest.get(workloadText(workload))?.requestBytes ?? 0;
    largest.set(workloadText(workload), { workload, requestBytes: Math.max(before, sample.value) });
  }
  return [...largest.values()];
}

function gapsOf({ rows, owners }: CollectedReview): string[] {
  const failed = (Object.keys(rows) as ReviewInputId[])
    .filter((id) => rows[id].error !== undefined)
    .map(
      (id) =>
        `The query for ${id.replaceAll('_', ' ')} failed: ${reviewInputs[id].cost}. ${rows[id].error?.message ?? ''}`,
    );
  const missing = neededForSpecs
    .filter((id) => rows[id].error === undefined && rows[id].samples.length === 0)
    .map((id) => `There are no series for ${id}: ${reviewInputs[id].cost}.`);
  return owners === undefined
    ? [
        ...failed,
        ...missing,
        'The history of owners was not answered: CronJobs that do not run just now are not reviewed.',
      ]
    : [...failed, ...missing];
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
