import type { ExternalMetric } from './external.ts';
import { keys, one, select, where } from './selector.ts';

const memory = 'resource="memory"';

/** One value a container of the pod. */
export function containerValue(metric: ExternalMetric, ...more: readonly string[]): string {
  return one(keys.container, select(metric, where.onePod, ...more));
}

/** Working set of each container; `container=""` is the pod's own cgroup and `POD` the pause container of old runtimes. */
export const containerUsage: string = containerValue(
  'container_memory_working_set_bytes',
  'container!=""',
  'container!="POD"',
);
export const containerRequest: string = containerValue('kube_pod_container_resource_requests', memory);
export const containerLimit: string = containerValue('kube_pod_container_resource_limits', memory);
export const containerRestarts: string = containerValue('kube_pod_container_status_restarts_total');
export const lastEndedByOomKill: string = containerValue(
  'kube_pod_container_status_last_terminated_reason',
  'reason="OOMKilled"',
);

/** Limit of the pod: the sum over its containers, and only where each of them has one. */
export const podLimit: string = `sum by (${keys.podName}) (${containerLimit}) and on (${keys.podName}) (count by (${keys.podName}) (${containerLimit}) == count by (${keys.podName}) (${containerRestarts}))`;

const restarts = select('kube_pod_container_status_restarts_total', where.onePod);

/** Restarts of a container whose last end was an OOM kill. */
export const oomRestarts: string = `${one(keys.container, `increase(${restarts}[$__rate_interval])`)} and on (${keys.container}) ${lastEndedByOomKill} == 1`;
export const allRestarts: string = one(keys.container, `increase(${restarts}[$__rate_interval])`);
