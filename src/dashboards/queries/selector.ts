import type { MetricFamily } from '../../outputs/metrics/catalogue.ts';
import type { ExternalMetric } from './external.ts';

/**
 * Label matchers by what a panel looks at. "All" is `.*` in every variable: unlike `.+` it also matches an absent
 * label, so that one expression serves stores with and without a `cluster` label.
 */
export const where = {
  clusters: 'cluster=~"$cluster"',
  nodes: 'cluster=~"$cluster", node=~"$node"',
  pods: 'cluster=~"$cluster", namespace=~"$namespace", node=~"$node"',
  namespaces: 'cluster=~"$cluster", namespace=~"$namespace"',
  oneNode: 'cluster=~"$cluster", node="$node"',
  onePod: 'cluster=~"$cluster", namespace="$namespace", pod="$pod"',
  oneNamespace: 'cluster=~"$cluster", namespace="$namespace"',
} as const;

/** Identifying labels. A pod or node name alone repeats across namespaces and clusters. */
export const keys = {
  cluster: 'cluster',
  node: 'cluster, node',
  pod: 'cluster, namespace, pod, node',
  podName: 'cluster, namespace, pod',
  container: 'cluster, namespace, pod, container',
  namespace: 'cluster, namespace',
  workload: 'cluster, namespace, workload_kind, workload',
} as const;

/** The instant vector selector of a metric; every argument after it is a matcher list. */
export function select(metric: MetricFamily | ExternalMetric, ...matchers: readonly string[]): string {
  const name = typeof metric === 'string' ? metric : metric.name;
  return matchers.length === 0 ? name : `${name}{${matchers.join(', ')}}`;
}

/**
 * One value for each key. Replicas of evictrank, HA pairs of Prometheus and twice scraped targets export a series
 * more than once; sums and joins over those would count double or fail as many-to-many.
 */
export function one(key: string, vector: string): string {
  return `max by (${key}) (${vector})`;
}

/** The labels `labels` of `source`, joined to `vector` by `key`. A series of `source` counts once, whatever its value. */
export function withLabels(
  vector: string,
  join: { readonly key: string; readonly labels: string; readonly source: string },
): string {
  // topk keeps the whole label set of one series a key, where max by (key, labels) could leave two of them: while two
  // replicas disagree for a moment about the group of a pod, a join would fail as many-to-many.
  return `${vector} * on (${join.key}) group_left (${join.labels}) topk by (${join.key}) (1, ${join.source})`;
}
