import type { DemoCluster, DemoNode } from './description.ts';
import { always, type ExposedSeries, one } from './exposed-series.ts';
import { podOwnersOf } from './owners.ts';
import { hexOf } from './random.ts';
import type { ScrapeTarget } from './scrape-target.ts';

type Simple = Pick<ExposedSeries, 'metric' | 'labels' | 'valueAt'> &
  Partial<Pick<ExposedSeries, 'history' | 'fromMs' | 'untilMs'>>;

/** Series of kube-state-metrics 2.20 about nodes, namespaces, owners and what else is not a pod. */
export function* objectStateSeries(cluster: DemoCluster, target: ScrapeTarget): Generator<ExposedSeries> {
  const complete = (series: Simple): ExposedSeries => ({
    ...always,
    target,
    history: 'week',
    isMarked: true,
    ...series,
  });
  for (const node of cluster.nodes) {
    yield* nodeSeries(node).map(complete);
  }
  yield* ownerSeries(cluster).map(complete);
  yield* namespaceSeries(cluster).map(complete);
  yield* policySeries(cluster).map(complete);
}

/** kubernetes/kube-state-metrics `internal/store/node.go`. */
function nodeSeries(node: DemoNode): readonly Simple[] {
  const identity = { node: node.name };
  const sizes = [
    { resource: 'cpu', unit: 'core', capacity: node.cpuCores, allocatable: node.cpuCores - 0.1 },
    { resource: 'memory', unit: 'byte', capacity: node.capacityBytes, allocatable: node.allocatableBytes },
    { resource: 'pods', unit: 'integer', capacity: 110, allocatable: 110 },
  ];
  const conditions = {
    MemoryPressure: node.hasMemoryPressure,
    DiskPressure: false,
    PIDPressure: false,
    Ready: true,
  };
  return [
    {
      metric: 'kube_node_info',
      valueAt: one,
      labels: {
        ...identity,
        kernel_version: '6.8.0-1029-aws',
        os_image: 'Ubuntu 24.04.2 LTS',
        container_runtime_version: 'containerd://2.1.4',
        kubelet_version: 'v1.36.0',
        kubeproxy_version: '',
        provider_id: `aws:///eu-central-1a/i-${hexOf(node.name, 17)}`,
        pod_cidr: '',
        system_uuid: `ec2${hexOf(`${node.name}/uuid`, 5)}`,
        internal_ip: node.ip,
      },
    },
    ...sizes.flatMap(({ resource, unit, capacity, allocatable }) => [
      {
        metric: 'kube_node_status_capacity',
        labels: { ...identity, resource, unit },
        valueAt: (): number => capacity,
      },
      {
        metric: 'kube_node_status_allocatable',
        labels: { ...identity, resource, unit },
        valueAt: (): number => allocatable,
      },
    ]),
    ...Object.entries(conditions).flatMap(([condition, holds]) =>
      ['true', 'false', 'unknown'].map((status) => ({
        metric: 'kube_node_status_condition',
        labels: { ...identity, condition, status },
        valueAt: () => Number(status === String(holds)),
      })),
    ),
  ];
}

/** `kube_replicaset_owner` and `kube_job_owner`: the second link of the owner chain. */
function ownerSeries(cluster: DemoCluster): readonly Simple[] {
  return podOwnersOf(cluster).flatMap(({ namespace, owner, workload, createdMs, deletedMs }): Simple[] => {
    const above = workload.kind === owner.kind ? undefined : workload;
    const labels = {
      namespace,
      owner_kind: above?.kind ?? '',
      owner_name: above?.name ?? '',
      owner_is_controller: above === undefined ? '' : 'true',
    };
    switch (owner.kind) {
      case 'ReplicaSet':
        // Kubernetes keeps the last ten ReplicaSets of a Deployment (revisionHistoryLimit).
        return [
          {
            metric: 'kube_replicaset_owner',
            labels: { replicaset: owner.name, ...labels },
            valueAt: one,
            fromMs: createdMs,
          },
        ];
      case 'Job':
        return [
          {
            metric: 'kube_job_owner',
            labels: { job_name: owner.name, ...labels },
            valueAt: one,
            fromMs: createdMs,
            untilMs: deletedMs ?? always.untilMs,
          },
        ];
      default:
        return [];
    }
  });
}

/** As with `--metric-labels-allowlist=namespaces=[*]`. */
function namespaceSeries(cluster: DemoCluster): readonly Simple[] {
  return [...new Set(cluster.pods.map(({ namespace }) => namespace))].map((namespace) => ({
    metric: 'kube_namespace_labels',
    labels: { namespace, label_kubernetes_io_metadata_name: namespace },
    valueAt: one,
    history: 'hours' as const,
  }));
}

/** `internal/store/limitrange.go` and `internal/store/horizontalpodautoscaler.go`. */
function policySeries(cluster: DemoCluster): readonly Simple[] {
  return [
    ...cluster.limitRanges.map(({ namespace, name, defaultRequestBytes }) => ({
      metric: 'kube_limitrange',
      labels: {
        namespace,
        limitrange: name,
        resource: 'memory',
        type: 'Container',
        constraint: 'defaultRequest',
      },
      valueAt: () => defaultRequestBytes,
      history: 'hours' as const,
    })),
    ...cluster.autoscalers.flatMap(({ namespace, name, target }) => [
      {
        metric: 'kube_horizontalpodautoscaler_info',
        labels: {
          namespace,
          horizontalpodautoscaler: name,
          scaletargetref_api_version: 'apps/v1',
          scaletargetref_kind: target.kind,
          scaletargetref_name: target.name,
        },
        valueAt: one,
        history: 'hours' as const,
      },
      {
        metric: 'kube_horizontalpodautoscaler_spec_target_metric',
        labels: {
          namespace,
          horizontalpodautoscaler: name,
          metric_name: 'memory',
          metric_target_type: 'utilization',
        },
        valueAt: (): number => 75,
        history: 'hours' as const,
      },
    ]),
  ];
}
