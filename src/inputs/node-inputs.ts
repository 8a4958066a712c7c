import { maxBy, type QueryScope, series } from './scope.ts';
import type { InputSource, InputSpec } from './source.ts';

const ksmRemedy = 'let Prometheus scrape kube-state-metrics and allow this metric there';

function ksmNodeMemory(metric: string): InputSource {
  return {
    metric,
    exporter: 'ksm',
    query: (scope) =>
      maxBy([scope.labels.ksm.cluster, scope.labels.ksm.node], series(scope, metric, 'resource="memory"')),
  };
}

/** cAdvisor and kubelet series may name the node in `node`, in `instance` (by name or address) or not at all. */
function kubeletNodeKeys(scope: QueryScope): (string | undefined)[] {
  const { cluster, node } = scope.labels.cadvisor;
  return node === 'instance' ? [cluster, 'instance'] : [cluster, node, 'instance'];
}

/** The inputs about nodes, one row each; the key is the input's id everywhere. */
export const nodeInputs = {
  node_info: {
    identity: ['node'],
    onFailure: 'degrade',
    whenEmpty: 'problem',
    cost: 'Node addresses are unknown, so usage that names its node by address cannot be joined. Kubelet versions are unknown, so OOM scores follow the newest.',
    remedy: ksmRemedy,
    sources: [
      {
        metric: 'kube_node_info',
        exporter: 'ksm',
        query: (scope) =>
          maxBy(
            [scope.labels.ksm.cluster, scope.labels.ksm.node, 'internal_ip', 'kubelet_version'],
            series(scope, 'kube_node_info'),
          ),
      },
    ],
  },
  node_capacity: {
    identity: ['node'],
    onFailure: 'degrade',
    whenEmpty: 'problem',
    cost: 'Available memory, headroom and eviction distances are not known.',
    remedy: ksmRemedy,
    sources: [ksmNodeMemory('kube_node_status_capacity')],
  },
  node_allocatable: {
    identity: ['node'],
    onFailure: 'degrade',
    whenEmpty: 'problem',
    cost: 'Allocatable memory is not shown.',
    remedy: ksmRemedy,
    sources: [ksmNodeMemory('kube_node_status_allocatable')],
  },
  node_working_set: {
    identity: [],
    onFailure: 'degrade',
    whenEmpty: 'problem',
    cost: 'Available memory, headroom and eviction distances are not known. (MemAvailable of node-exporter is another number and is not used instead.)',
    remedy:
      'keep container_memory_working_set_bytes{id="/"} of cAdvisor, or scrape /metrics/resource of the kubelet',
    sources: [
      {
        metric: 'node_memory_working_set_bytes',
        exporter: 'cadvisor',
        query: (scope) => maxBy(kubeletNodeKeys(scope), series(scope, 'node_memory_working_set_bytes')),
      },
      {
        metric: 'container_memory_working_set_bytes (root cgroup)',
        exporter: 'cadvisor',
        query: (scope) =>
          maxBy(kubeletNodeKeys(scope), series(scope, 'container_memory_working_set_bytes', 'id="/"')),
      },
    ],
  },
} as const satisfies Record<string, InputSpec>;
