import type { metrics } from '../../outputs/metrics/catalogue.ts';
import { keys, one, select, where, withLabels } from './selector.ts';

/** What a series and the `up` of its scrape have in common. */
const target = 'cluster, job, instance, metrics_path';

/**
 * Evictions the kubelets counted within `window`, with the labels of the counter.
 *
 * `increase` needs a first sample, but the kubelet exports a signal only from its first eviction on (a CounterVec,
 * pkg/kubelet/metrics/metrics.go), so that this one would be lost. A series with fewer samples than its target had
 * good scrapes was born within the window, and its value is what it has counted since, or at least since the kubelet
 * last started: the larger of the two numbers is the better one.
 */
function countedIn(window: string, matchers: string): string {
  const counter = select('kubelet_evictions', matchers);
  const scrapes = `max by (${target}) (sum_over_time(${select('up')}[${window}]))`;
  const born = `${counter} and count_over_time(${counter}[${window}]) < on (${target}) group_left () ${scrapes}`;
  const increase = `increase(${counter}[${window}])`;
  return `(${born}) unless ${increase} > (${born}) or ${increase}`;
}

/**
 * Evictions by node and signal. A kubelet's series name their node in `node`, or, where no relabelling adds it, in
 * `instance`.
 */
export function evictionsIn(window: string): string {
  const named = countedIn(window, `${where.nodes}, node!=""`);
  const unnamed = countedIn(window, 'cluster=~"$cluster", node="", instance=~"$node(:[0-9]+)?"');
  const all = `${named} or label_replace(${unnamed}, "node", "$1", "instance", "(.+?)(:[0-9]+)?")`;
  return one(`${keys.node}, eviction_signal`, all);
}

export function evictionsBySignal(window: string): string {
  return `sum by (eviction_signal) (${evictionsIn(window)})`;
}

/** Evicted pods that are still in the cluster as objects, once each, with their node. */
export function evictedPods(matchers: string = where.namespaces): string {
  const evicted = one(keys.podName, `${select('kube_pod_status_reason', matchers, 'reason="Evicted"')} == 1`);
  const source = select('kube_pod_info', matchers, 'node!=""', 'node=~"$node"');
  return withLabels(evicted, { key: keys.podName, labels: 'node', source });
}

/** QoS class of a pod as the API server has it, as the label `qos_class`. */
function withQosClass(vector: string, matchers: string): string {
  const source = `${select('kube_pod_status_qos_class', matchers)} == 1`;
  return withLabels(vector, { key: keys.podName, labels: 'qos_class', source });
}

export function evictedPodsWithClass(matchers: string = where.namespaces): string {
  return withQosClass(evictedPods(matchers), matchers);
}

export const evictedByQosClass: string = `count by (qos_class) (${evictedPodsWithClass()})`;

/** All pods by QoS class, finished ones included. */
export const podsByQosClass: string = `count by (qos_class) (${one(`${keys.podName}, qos_class`, `${select('kube_pod_status_qos_class', where.namespaces)} == 1`)})`;

/** What was last exported of an evicted pod while it ran, within the time range of the dashboard. */
export function beforeEviction(
  family: typeof metrics.podEvictionRiskRank | typeof metrics.podMemoryOverRequest,
): string {
  const last = `last_over_time(${select(family, where.pods, 'basis="now"')}[$__range])`;
  return `${one(keys.podName, last)} and on (${keys.podName}) ${evictedPods()}`;
}

/** Evicted pods of the workload: through the pod's controller and, for a Deployment, that controller's owner. */
export function evictedPodsOfWorkload(): string {
  const matchers = where.oneNamespace;
  const direct = select('kube_pod_owner', matchers, 'owner_is_controller="true"', 'owner_name=~"$workload"');
  const replicaSets = select('kube_replicaset_owner', matchers, 'owner_name=~"$workload"');
  const pods = select('kube_pod_owner', matchers, 'owner_kind="ReplicaSet"');
  const indirect = `label_replace(${pods}, "replicaset", "$1", "owner_name", "(.+)") and on (cluster, namespace, replicaset) ${replicaSets}`;
  const evicted = one(keys.podName, `${select('kube_pod_status_reason', matchers, 'reason="Evicted"')} == 1`);
  return `${withQosClass(evicted, matchers)} and on (${keys.podName}) (${direct} or ${indirect})`;
}
