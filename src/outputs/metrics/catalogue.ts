/** What one series of a family is about; decides which labels come first and which switch turns it off. */
export type MetricScope = 'pod' | 'node' | 'workload' | 'cluster' | 'service';

export interface MetricFamily {
  /** Full exposed name, so that one grep finds it. */
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly scope: MetricScope;
  readonly help: string;
  /** Labels besides `cluster`, which every pod, node and workload family carries only where one is configured. */
  readonly labels: readonly string[];
}

const podLabels = ['namespace', 'pod', 'node'] as const;
const workloadLabels = ['namespace', 'workload_kind', 'workload'] as const;

const pod = (name: string, labels: readonly string[], help: string): MetricFamily => ({
  name,
  type: 'gauge',
  scope: 'pod',
  labels,
  help: `${help} As old as the last refresh.`,
});
const node = (name: string, labels: readonly string[], help: string): MetricFamily => ({
  name,
  type: 'gauge',
  scope: 'node',
  labels,
  help: `${help} As old as the last refresh.`,
});
const workload = (name: string, help: string): MetricFamily => ({
  name,
  type: 'gauge',
  scope: 'workload',
  labels: workloadLabels,
  help: `${help} As old as the last refresh.`,
});
const service = (
  name: string,
  type: MetricFamily['type'],
  labels: readonly string[],
  help: string,
): MetricFamily => ({ name, type, scope: 'service', labels, help });

/** Every exported metric, one row each. Alerts, dashboards, docs and exposition take the names from here. */
export const metrics = {
  podEvictionRiskRank: pod(
    'evictrank_pod_eviction_risk_rank',
    [...podLabels, 'basis'],
    'Place in the order in which the kubelet would evict the pods of the node under memory pressure, 1 first; ties share a rank, protected pods have none.',
  ),
  podComparatorGroup: pod(
    'evictrank_pod_comparator_group',
    [...podLabels, 'basis', 'group'],
    '1 for the group the pod is in: no_stats, exceeds_request, within_request or protected.',
  ),
  podEvictionDistance: pod(
    'evictrank_pod_eviction_distance_bytes',
    podLabels,
    'How much more memory the node must lose before the kubelet takes this pod; 0 once it is next and the threshold is met.',
  ),
  podMemoryUsage: pod('evictrank_pod_memory_usage_bytes', podLabels, 'Working set of the pod.'),
  podMemoryPeak: pod(
    'evictrank_pod_memory_peak_bytes',
    podLabels,
    'Highest working set of the pod in the window.',
  ),
  podMemoryRequest: pod(
    'evictrank_pod_memory_request_bytes',
    podLabels,
    'Effective memory request of the pod as the kubelet computes it.',
  ),
  podMemoryOverRequest: pod(
    'evictrank_pod_memory_over_request_bytes',
    [...podLabels, 'basis'],
    'Usage minus request; negative below the request.',
  ),
  podMemoryUsageRequestRatio: pod(
    'evictrank_pod_memory_usage_request_ratio',
    [...podLabels, 'basis'],
    'Usage divided by request; absent where the request is 0.',
  ),
  podTimeOverRequest: pod(
    'evictrank_pod_time_over_request_ratio',
    podLabels,
    'Share of the observed hours of the window whose peak was above the request.',
  ),
  podInfo: pod(
    'evictrank_pod_info',
    [...podLabels, 'uid', 'qos_class', 'priority', 'priority_class', 'workload_kind', 'workload'],
    'Always 1; what is known of the pod as labels.',
  ),
  nodeMemoryAvailable: node(
    'evictrank_node_memory_available_bytes',
    ['node'],
    'The eviction signal memory.available: machine memory minus the working set of the root cgroup.',
  ),
  nodeEvictionThreshold: node(
    'evictrank_node_eviction_threshold_bytes',
    ['node'],
    'Hard eviction threshold for memory.available.',
  ),
  nodeEvictionHeadroom: node(
    'evictrank_node_eviction_headroom_bytes',
    ['node'],
    'Available memory minus the hard eviction threshold; negative once the threshold is met.',
  ),
  nodeMemoryAllocatable: node(
    'evictrank_node_memory_allocatable_bytes',
    ['node'],
    'Allocatable memory of the node.',
  ),
  nodeMemoryRequests: node(
    'evictrank_node_memory_requests_bytes',
    ['node'],
    'Sum of the effective memory requests of the pods on the node.',
  ),
  nodeMemoryPeak: node(
    'evictrank_node_memory_peak_bytes',
    ['node'],
    'Sum of the window peaks of the pods on the node.',
  ),
  nodePods: node(
    'evictrank_node_pods',
    ['node', 'group', 'qos_class'],
    'Pods on the node by comparator group (basis now) and QoS class.',
  ),
  nodeQosOrderInversions: node(
    'evictrank_node_qos_order_inversions',
    ['node'],
    'Pods that rank before a pod of a lower QoS class (basis now).',
  ),
  nodeComplete: node(
    'evictrank_node_complete',
    ['node'],
    '1 where the data needed to rank the pods of the node are there, 0 where they are missing.',
  ),
  workloadMemoryPeak: workload(
    'evictrank_workload_memory_peak_bytes',
    'Highest working set of any pod of the workload in the window, past generations included.',
  ),
  workloadMemoryRequest: workload(
    'evictrank_workload_memory_request_bytes',
    'Largest effective memory request of a live pod of the workload.',
  ),
  workloadMemoryRecommendedRequest: workload(
    'evictrank_workload_memory_recommended_request_bytes',
    'Recommended memory request of each pod of the workload: the window peak plus a margin.',
  ),
  workloadReplicas: workload('evictrank_workload_replicas', 'Live pods of the workload.'),
  priorityPods: {
    name: 'evictrank_priority_pods',
    type: 'gauge',
    scope: 'cluster',
    labels: ['priority', 'priority_class'],
    help: 'Pods by priority and priority class. As old as the last refresh.',
  },
  sourceUp: service(
    'evictrank_source_up',
    'gauge',
    [],
    '1 if the last refresh got its data from the query backend, else 0.',
  ),
  lastRefreshTimestamp: service(
    'evictrank_last_refresh_timestamp_seconds',
    'gauge',
    [],
    'Evaluation time of the data served, in seconds since the epoch.',
  ),
  refreshDuration: service(
    'evictrank_refresh_duration_seconds',
    'histogram',
    [],
    'Time a refresh took, good or failed.',
  ),
  refreshes: service(
    'evictrank_refreshes_total',
    'counter',
    ['outcome'],
    'Refreshes by outcome: ok or failed.',
  ),
  queryDuration: service(
    'evictrank_query_duration_seconds',
    'histogram',
    ['query'],
    'Time a query to the backend took, by query.',
  ),
  querySamples: service(
    'evictrank_query_samples_total',
    'counter',
    ['query'],
    'Samples the backend reports to have read, by query.',
  ),
  windowCoverage: service(
    'evictrank_window_coverage_ratio',
    'gauge',
    [],
    'Share of the peak window that has been read, 0 to 1.',
  ),
  inputProblems: service(
    'evictrank_input_problems',
    'gauge',
    ['kind'],
    'Problems found in the inputs at the last refresh, by kind.',
  ),
  buildInfo: service(
    'evictrank_build_info',
    'gauge',
    ['version', 'node_version'],
    'Always 1; the version that runs.',
  ),
} as const satisfies Record<string, MetricFamily>;

export type MetricKey = keyof typeof metrics;
