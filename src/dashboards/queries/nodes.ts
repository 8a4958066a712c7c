import { type MetricFamily, metrics } from '../../outputs/metrics/catalogue.ts';
import { keys, one, select, where } from './selector.ts';

/** One value a node. */
export function nodeValue(family: MetricFamily, matchers: string = where.nodes): string {
  return one(keys.node, select(family, matchers));
}

/** A node value as a share of the node's allocatable memory. */
export function shareOfAllocatable(vector: string, matchers: string = where.nodes): string {
  return `${vector} / on (${keys.node}) ${nodeValue(metrics.nodeMemoryAllocatable, matchers)}`;
}

/** Working sets of the pods of a node, added up: what the kubelet can win back, unlike `available`, which covers the whole machine. */
export function nodePodUsage(matchers: string = where.nodes): string {
  return `sum by (${keys.node}) (${one(keys.pod, select(metrics.podMemoryUsage, matchers))})`;
}

/** Pods by node, comparator group and QoS class, once each. */
export function nodePods(matchers: string, ...more: readonly string[]): string {
  return one(`${keys.node}, group, qos_class`, select(metrics.nodePods, matchers, ...more));
}

/** Pods that exceed their request now or have no usage: the ones the kubelet takes first whatever their priority. */
export function podsInFirstGroups(matchers: string = where.nodes): string {
  return `sum by (${keys.node}) (${nodePods(matchers, 'group=~"no_stats|exceeds_request"')})`;
}

export const nodesWithInversions: string = `${nodeValue(metrics.nodeQosOrderInversions)} > 0`;
