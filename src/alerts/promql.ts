import type { MetricFamily } from '../outputs/metrics/catalogue.ts';
import type { Parameters } from './parameters.ts';

/**
 * What identifies a pod, a node, … in `by (…)` and `on (…)`. `cluster` comes first and costs nothing where
 * no cluster is configured: PromQL takes a label that is not there for an empty one.
 */
export const podKey = 'cluster, namespace, pod, node';
export const nodeKey = 'cluster, node';
export const workloadKey = 'cluster, namespace, workload_kind, workload';
/** A pod as kube-state-metrics and cAdvisor know it: without a node. */
export const podNameKey = 'cluster, namespace, pod';

/** One series per key, whatever the number of replicas, scrape jobs and instances that report it. */
export function maxBy(key: string, expression: string): string {
  return `max by (${key}) (${expression})`;
}

/** A string literal of PromQL. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** `name{matchers}`; empty matchers are left out. */
export function select(name: string, ...matchers: readonly string[]): string {
  const present = matchers.filter((matcher) => matcher !== '');
  return present.length === 0 ? name : `${name}{${present.join(',')}}`;
}

/** Selector of one of the service's own metrics. */
export function ours(parameters: Parameters, metric: MetricFamily, ...matchers: readonly string[]): string {
  return select(metric.name, ...matchers, parameters.evictrankSelector);
}

/** Selector of a metric of kube-state-metrics, the kubelet or cAdvisor. */
export function theirs(parameters: Parameters, name: string, ...matchers: readonly string[]): string {
  return select(name, ...matchers, parameters.kubernetesSelector);
}

/** Matchers of the namespaces that are watched. */
export function watchedNamespaces({ namespaces, excludedNamespaces }: Parameters): string {
  return [
    ...(namespaces === '.+' ? [] : [`namespace=~${quote(namespaces)}`]),
    `namespace!~${quote(excludedNamespaces)}`,
  ].join(',');
}

type CanonicalLabel = 'cluster' | 'namespace' | 'pod' | 'container' | 'node';

/**
 * `expression` with the labels a scrape without `honor_labels` renames put back. A series without the renamed
 * label is left as it is, so one expression is right for both kinds, also where a store holds both.
 */
export function restoreLabels(
  parameters: Parameters,
  labels: readonly CanonicalLabel[],
  expression: string,
): string {
  const sources: Readonly<Record<CanonicalLabel, string>> = {
    cluster: parameters.clusterLabel,
    namespace: parameters.namespaceLabel,
    pod: parameters.podLabel,
    container: parameters.containerLabel,
    node: parameters.nodeLabel,
  };
  return (['cluster', ...labels] as const)
    .filter((label) => sources[label] !== label)
    .reduce((inner, label) => replaceLabel(inner, label, sources[label]), expression);
}

/** `expression` with `label` overwritten by `source` on the series that have `source`. */
export function replaceLabel(expression: string, label: string, source: string): string {
  return label === source
    ? expression
    : `label_replace(${expression}, "${label}", "$1", "${source}", "(.+)")`;
}
