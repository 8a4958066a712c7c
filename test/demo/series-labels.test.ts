import { describe, expect, test } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { minuteMs } from '../../src/demo/cluster/units.ts';

const cluster = buildDemoCluster({ nowMs: Date.UTC(2026, 9, 14, 10, 30) });
const range = { startMs: cluster.nowMs - 5 * minuteMs, endMs: cluster.nowMs };

/** Labels of every family by name, as the exporter exposes them, those that may be empty included. */
function namesByMetric(options: Parameters<typeof seriesOf>[1]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { labels } of seriesOf(cluster, options)) {
    const { __name__: metric = '', ...rest } = labels;
    const names = found.get(metric) ?? new Set();
    found.set(metric, names);
    for (const name of Object.keys(rest)) names.add(name);
  }
  return found;
}

const pod = ['namespace', 'pod', 'uid'];
const container = [...pod, 'container'];
const resource = [...container, 'node', 'resource', 'unit'];
const image = [...container, 'image_spec', 'image', 'image_id', 'container_id'];
const owner = ['owner_kind', 'owner_name', 'owner_is_controller'];
const hpa = ['namespace', 'horizontalpodautoscaler'];

/** kubernetes/kube-state-metrics, `internal/store/testdata/stable-metrics-list.yaml` and `internal/store/*.go`. */
const kubeStateMetrics: Readonly<Record<string, readonly string[]>> = {
  kube_pod_info: [
    ...pod,
    ...['host_ip', 'pod_ip', 'node', 'created_by_kind', 'created_by_name', 'priority_class', 'host_network'],
  ],
  kube_pod_owner: [...pod, ...owner],
  kube_pod_status_phase: [...pod, 'phase'],
  kube_pod_status_qos_class: [...pod, 'qos_class'],
  kube_pod_status_reason: [...pod, 'reason'],
  kube_pod_status_scheduled: [...pod, 'condition'],
  kube_pod_status_unschedulable: pod,
  kube_pod_created: pod,
  kube_pod_start_time: pod,
  kube_pod_overhead_memory_bytes: pod,
  kube_pod_runtimeclass_name_info: [...pod, 'runtimeclass_name'],
  kube_pod_container_info: image,
  kube_pod_init_container_info: [...image, 'restart_policy'],
  kube_pod_container_resource_requests: resource,
  kube_pod_container_resource_limits: resource,
  kube_pod_init_container_resource_requests: resource,
  kube_pod_container_status_restarts_total: container,
  kube_pod_container_status_last_terminated_reason: [...container, 'reason'],
  kube_replicaset_owner: ['namespace', 'replicaset', ...owner],
  kube_job_owner: ['namespace', 'job_name', ...owner],
  kube_node_info: [
    ...['node', 'kernel_version', 'os_image', 'container_runtime_version', 'kubelet_version'],
    ...['kubeproxy_version', 'provider_id', 'pod_cidr', 'system_uuid', 'internal_ip'],
  ],
  kube_node_status_capacity: ['node', 'resource', 'unit'],
  kube_node_status_allocatable: ['node', 'resource', 'unit'],
  kube_node_status_condition: ['node', 'condition', 'status'],
  kube_namespace_labels: ['namespace', 'label_kubernetes_io_metadata_name'],
  kube_limitrange: ['namespace', 'limitrange', 'resource', 'type', 'constraint'],
  kube_horizontalpodautoscaler_info: [
    ...hpa,
    ...['scaletargetref_api_version', 'scaletargetref_kind', 'scaletargetref_name'],
  ],
  kube_horizontalpodautoscaler_spec_target_metric: [...hpa, 'metric_name', 'metric_target_type'],
};

/** What the scrape of kube-state-metrics attaches (Prometheus operator, honorLabels). */
const stateTarget = ['container', 'endpoint', 'instance', 'job', 'namespace', 'pod', 'service'];
const kubeletTarget = ['endpoint', 'instance', 'job', 'metrics_path', 'namespace', 'node', 'service'];
const union = (...parts: (readonly string[])[]): ReadonlySet<string> => new Set(parts.flat());

describe('the series of the demo have the labels of', () => {
  const found = namesByMetric(range);
  const namesOf = (metric: string): ReadonlySet<string> => found.get(metric) ?? new Set();

  test.each(Object.entries(kubeStateMetrics))('kube-state-metrics: %s', (metric, exposed) => {
    expect(namesOf(metric)).toEqual(union(exposed, stateTarget));
  });

  test('cAdvisor behind the kubelet', () => {
    expect(namesOf('container_memory_working_set_bytes')).toEqual(
      union(['container', 'id', 'image', 'name', 'namespace', 'pod'], kubeletTarget),
    );
  });

  test('the kubelet itself', () => {
    expect(namesOf('kubelet_evictions')).toEqual(union(['eviction_signal'], kubeletTarget));
    expect(namesOf('kubelet_node_name')).toEqual(union(['node'], kubeletTarget));
  });

  test('no family that is not accounted for', () => {
    const others = ['container_memory_working_set_bytes', 'kubelet_evictions', 'kubelet_node_name', 'up'];
    expect(new Set(found.keys())).toEqual(union(Object.keys(kubeStateMetrics), others));
  });
});

describe('the switches', () => {
  test('add the kubelet resource metrics, without id, image and name', () => {
    const found = namesByMetric({ ...range, hasResourceMetrics: true });
    expect(found.get('pod_memory_working_set_bytes')).toEqual(union(['pod'], kubeletTarget));
    expect(found.get('node_memory_working_set_bytes')).toEqual(union(kubeletTarget));
  });

  test('add the scheduler, whose scrape does not honour labels', () => {
    const names = namesByMetric({ ...range, scheduler: 'exported' }).get('kube_pod_resource_request');
    expect(names).toContain('exported_namespace');
    expect(names).toContain('exported_pod');
    expect(names).toContain('priority');
  });

  test('rename the labels of kube-state-metrics', () => {
    const found = namesByMetric({ ...range, honorsStateLabels: false });
    const names = found.get('kube_pod_container_resource_requests');
    expect(names).toContain('exported_namespace');
    expect(names).toContain('exported_pod');
    expect(names).toContain('exported_container');
    expect(names).toContain('node');
  });

  test('put external labels on every series', () => {
    for (const { labels } of seriesOf(cluster, { ...range, externalLabels: { cluster: 'east' } })) {
      expect(labels.cluster).toBe('east');
    }
  });
});

describe('cAdvisor shows of a pod', () => {
  const series = [...seriesOf(cluster, range)].filter(
    ({ labels }) => labels.__name__ === 'container_memory_working_set_bytes',
  );
  const of = (name: string) => series.filter(({ labels }) => labels.pod === name);

  test('its cgroup without an image, the pause container with one, and its container, all under one slice', () => {
    const [cgroup, pause, app, ...others] = of('redis-cache').map(({ labels }) => labels);
    expect(others).toEqual([]);
    expect([cgroup?.container, cgroup?.image, cgroup?.name]).toEqual(['', '', '']);
    expect(cgroup?.id).toMatch(
      /^\/kubepods\.slice\/kubepods-burstable\.slice\/kubepods-burstable-pod[0-9a-f_]{36}\.slice$/,
    );
    expect([pause?.container, pause?.image]).toEqual(['', 'registry.k8s.io/pause:3.10']);
    expect(app?.container).toBe('redis');
    for (const labels of [pause, app]) {
      expect(labels?.id).toBe(`${cgroup?.id}/cri-containerd-${labels?.name}.scope`);
      expect(labels?.name).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('a Guaranteed pod directly below kubepods.slice', () => {
    expect(of('api-7d9f')[0]?.labels.id).toMatch(/^\/kubepods\.slice\/kubepods-pod[0-9a-f_]{36}\.slice$/);
  });

  test('nothing where the kubelet has no stats', () => {
    expect(series.filter(({ labels }) => labels.pod?.startsWith('ghost-'))).toEqual([]);
  });

  test('both the old and the new container after a restart', () => {
    const containers = series.filter(
      ({ labels }) => labels.pod?.startsWith('flaky-bridge-') === true && labels.container !== '',
    );
    expect(new Set(containers.map(({ labels }) => labels.id)).size).toBe(2);
  });
});
