import { type MetricFamily, metrics } from '../outputs/metrics/catalogue.ts';
import { highPriorityShare, workloadWaste } from './capacity.ts';
import type { Parameters } from './parameters.ts';
import { maxBy, nodeKey, ours, podKey } from './promql.ts';
import type { RecordingDefinition } from './rule.ts';

/**
 * Series for panels, reports and long-term storage: few, merged over replicas and scrape jobs, without the labels
 * of the scrape. No alert needs them, so the alert file works alone.
 */
export function recordingRules(parameters: Parameters): readonly RecordingDefinition[] {
  const pods = (metric: MetricFamily, ...matchers: string[]) =>
    maxBy(podKey, ours(parameters, metric, ...matchers));
  const nodes = (metric: MetricFamily) => maxBy(nodeKey, ours(parameters, metric));
  const perNamespace = (pod: string) => `sum by (cluster, namespace) (${pod})`;
  return [
    {
      record: 'namespace:evictrank_pod_memory_request_bytes:sum',
      expr: perNamespace(pods(metrics.podMemoryRequest)),
    },
    {
      record: 'namespace:evictrank_pod_memory_usage_bytes:sum',
      expr: perNamespace(pods(metrics.podMemoryUsage)),
    },
    {
      record: 'namespace:evictrank_pod_memory_peak_bytes:sum',
      expr: perNamespace(pods(metrics.podMemoryPeak)),
    },
    {
      record: 'namespace:evictrank_pod_exceeds_request:sum',
      expr: perNamespace(pods(metrics.podComparatorGroup, 'basis="now"', 'group="exceeds_request"')),
    },
    {
      record: 'node:evictrank_node_eviction_headroom:ratio',
      expr: `${nodes(metrics.nodeEvictionHeadroom)}
/ ${nodes(metrics.nodeMemoryAllocatable)}`,
    },
    {
      record: 'node:evictrank_node_memory_requests:ratio',
      expr: `${nodes(metrics.nodeMemoryRequests)}
/ ${nodes(metrics.nodeMemoryAllocatable)}`,
    },
    {
      record: 'node:evictrank_node_memory_peak:ratio',
      expr: `${nodes(metrics.nodeMemoryPeak)}
/ ${nodes(metrics.nodeMemoryAllocatable)}`,
    },
    {
      record: 'cluster:evictrank_node_qos_order_inversions:sum',
      expr: `sum by (cluster) (${nodes(metrics.nodeQosOrderInversions)})`,
    },
    {
      record: 'namespace_workload:evictrank_workload_memory_waste_bytes:max',
      expr: workloadWaste(parameters),
    },
    { record: 'cluster:evictrank_priority_pods_high:ratio', expr: highPriorityShare(parameters) },
  ];
}
