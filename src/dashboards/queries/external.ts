/** Metrics of others that the dashboards read, with who exports them. Everything else is in the metric catalogue. */
export const externalMetrics = {
  kubelet_evictions: 'kubelet /metrics',
  up: 'Prometheus',
  container_memory_working_set_bytes: 'kubelet /metrics/cadvisor',
  kube_pod_info: 'kube-state-metrics',
  kube_pod_owner: 'kube-state-metrics',
  kube_replicaset_owner: 'kube-state-metrics',
  kube_pod_status_qos_class: 'kube-state-metrics',
  kube_pod_status_reason: 'kube-state-metrics',
  kube_pod_container_resource_requests: 'kube-state-metrics',
  kube_pod_container_resource_limits: 'kube-state-metrics',
  kube_pod_container_status_restarts_total: 'kube-state-metrics',
  kube_pod_container_status_last_terminated_reason: 'kube-state-metrics',
  process_resident_memory_bytes: 'evictrank (prom-client default metrics)',
  process_cpu_seconds_total: 'evictrank (prom-client default metrics)',
  nodejs_eventloop_lag_p99_seconds: 'evictrank (prom-client default metrics)',
  nodejs_heap_size_used_bytes: 'evictrank (prom-client default metrics)',
} as const;

export type ExternalMetric = keyof typeof externalMetrics;
