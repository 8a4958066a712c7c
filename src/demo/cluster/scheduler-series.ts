import type { DemoPod } from './description.ts';
import type { ExposedSeries } from './exposed-series.ts';
import { startingRequest } from './pod.ts';
import type { ScrapeTarget } from './scrape-target.ts';

/**
 * kube-scheduler's `kube_pod_resource_request` of a pod (`pkg/scheduler/metrics/resources/resources.go`): the effective
 * request with overhead, the priority as a label, units in the plural; nothing for zero and for finished pods.
 */
export function* schedulerSeries(pod: DemoPod, target: ScrapeTarget): Generator<ExposedSeries> {
  const memoryBytes =
    startingRequest(pod.containers, (requests) => requests.memoryBytes) + (pod.overheadBytes ?? 0);
  const cpuCores = startingRequest(pod.containers, (requests) => requests.cpuCores);
  const resources = [
    { resource: 'cpu', unit: 'cores', value: cpuCores },
    { resource: 'memory', unit: 'bytes', value: memoryBytes },
  ];
  for (const { resource, unit, value } of resources.filter(({ value }) => value > 0)) {
    yield {
      target,
      metric: 'kube_pod_resource_request',
      labels: {
        namespace: pod.namespace,
        pod: pod.name,
        node: pod.node ?? '',
        scheduler: 'default-scheduler',
        priority: String(pod.priority),
        resource,
        unit,
      },
      valueAt: () => value,
      fromMs: pod.createdMs,
      untilMs: Math.min(pod.end?.atMs ?? Number.POSITIVE_INFINITY, pod.deletedMs ?? Number.POSITIVE_INFINITY),
      history: 'hours',
      isMarked: true,
    };
  }
}
