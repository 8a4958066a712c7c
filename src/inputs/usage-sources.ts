import { formatDuration } from '../foundation/duration.ts';
import { maxBy, type QueryScope, series, sumBy } from './scope.ts';
import type { InputSource } from './source.ts';

/** A source of pod usage can also be asked for its highest value over time. */
export interface UsageSource extends InputSource {
  /** Highest working set of each pod in the range that ends at the evaluation time. `range` is a PromQL duration. */
  readonly peakQuery: (scope: QueryScope, range: string) => string;
  /**
   * Where the backend must hold every sample of the range at once, and not one series after the other: how far the
   * samples are apart, and a query for the number of series. Undefined where it need not.
   */
  readonly heldAtOnce:
    | { readonly stepMs: number; readonly seriesCountQuery: (scope: QueryScope) => string }
    | undefined;
}

/** Labels that name a pod in the series of cAdvisor and the kubelet, which have no uid. */
export function usageKeys(scope: QueryScope): (string | undefined)[] {
  const keys = scope.labels.cadvisor;
  return [keys.cluster, keys.namespace, keys.pod];
}

/** The kubelet's own number, the one it ranks by (its /metrics/resource). */
const kubeletSeries = (scope: QueryScope): string => series(scope, 'pod_memory_working_set_bytes');

/** The pods' cgroups. containerd's pause container has container="" too, but an image. */
export function podCgroupSeries(scope: QueryScope): string {
  const { container, pod } = scope.labels.cadvisor;
  return series(scope, 'container_memory_working_set_bytes', `${container}=""`, `${pod}!=""`, 'image=""');
}

function containerSeries(scope: QueryScope): string {
  const { container } = scope.labels.cadvisor;
  return series(scope, 'container_memory_working_set_bytes', `${container}!=""`, `${container}!="POD"`);
}

function sumOfContainers(scope: QueryScope): string {
  const perContainer = maxBy([...usageKeys(scope), scope.labels.cadvisor.container], containerSeries(scope));
  return sumBy(usageKeys(scope), perContainer);
}

/** How far the instants are apart at which the sum of containers is taken: a usual scrape interval. */
const sumStepMs = 60_000;

/** Working set of each pod, in order of preference. */
export const podUsageSources: readonly [UsageSource, UsageSource, UsageSource] = [
  {
    metric: 'pod_memory_working_set_bytes',
    exporter: 'cadvisor',
    query: (scope) => maxBy(usageKeys(scope), kubeletSeries(scope)),
    peakQuery: (scope, range) => maxBy(usageKeys(scope), `max_over_time(${kubeletSeries(scope)}[${range}])`),
    heldAtOnce: undefined,
  },
  {
    metric: 'container_memory_working_set_bytes (pod cgroup)',
    exporter: 'cadvisor',
    query: (scope) => maxBy(usageKeys(scope), podCgroupSeries(scope)),
    peakQuery: (scope, range) =>
      maxBy(usageKeys(scope), `max_over_time(${podCgroupSeries(scope)}[${range}])`),
    heldAtOnce: undefined,
  },
  {
    // Misses the pause container and files in memory-backed volumes, so it reads a little low.
    metric: 'container_memory_working_set_bytes (sum of containers)',
    exporter: 'cadvisor',
    query: sumOfContainers,
    // The containers peak at different times, so their sum has to be taken at each instant first.
    peakQuery: (scope, range) =>
      `max_over_time((${sumOfContainers(scope)})[${range}:${formatDuration(sumStepMs)}])`,
    heldAtOnce: { stepMs: sumStepMs, seriesCountQuery: (scope) => `count(${containerSeries(scope)})` },
  },
];
