import type { DemoContainer, DemoPod, Resources } from './description.ts';
import type { ExposedSeries } from './exposed-series.ts';
import { one } from './exposed-series.ts';
import { hexOf } from './random.ts';
import type { ScrapeTarget } from './scrape-target.ts';

/** One series of a family, without what all series of a pod share. */
interface Row {
  readonly labels?: Readonly<Record<string, string>>;
  readonly valueAt: (timeMs: number) => number;
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Overrides the family's. */
  readonly history?: 'week' | 'hours';
}

interface Family {
  readonly metric: string;
  readonly history?: 'week';
  readonly rows: (pod: DemoPod, nodeIp: string) => readonly Row[];
}

/**
 * The pod families of kube-state-metrics 2.20 that the project or its dashboards read, with all their labels
 * (kubernetes/kube-state-metrics `internal/store/pod.go`). A label with an empty value is one Prometheus does not store.
 */
const families: readonly Family[] = [
  {
    metric: 'kube_pod_info',
    history: 'week',
    rows: (pod, nodeIp) => [
      {
        labels: {
          host_ip: nodeIp,
          pod_ip: pod.isHostNetwork ? nodeIp : podIp(pod),
          node: pod.node ?? '',
          created_by_kind: pod.owner?.kind ?? '',
          created_by_name: pod.owner?.name ?? '',
          priority_class: pod.priorityClass ?? '',
          host_network: String(pod.isHostNetwork),
        },
        valueAt: one,
      },
    ],
  },
  {
    metric: 'kube_pod_owner',
    history: 'week',
    rows: ({ owner }) => [
      {
        labels: {
          owner_kind: owner?.kind ?? '',
          owner_name: owner?.name ?? '',
          owner_is_controller: owner === undefined ? '' : 'true',
        },
        valueAt: one,
      },
    ],
  },
  {
    metric: 'kube_pod_status_phase',
    rows: (pod) =>
      ['Pending', 'Succeeded', 'Failed', 'Unknown', 'Running'].map((phase) => ({
        labels: { phase },
        // The phases a pod never was in are 0 all week: nobody asks their history.
        history: phase === 'Running' || phase === pod.end?.phase ? 'week' : 'hours',
        valueAt: (timeMs) => Number(phaseAt(pod, timeMs) === phase),
      })),
  },
  {
    metric: 'kube_pod_status_qos_class',
    rows: (pod) =>
      ['BestEffort', 'Burstable', 'Guaranteed'].map((qosClass) => ({
        labels: { qos_class: qosClass },
        valueAt: () => Number(pod.qosClass === qosClass),
      })),
  },
  {
    metric: 'kube_pod_status_reason',
    rows: (pod) =>
      ['Evicted', 'NodeAffinity', 'NodeLost', 'Shutdown', 'UnexpectedAdmissionError'].map((reason) => ({
        labels: { reason },
        valueAt: (timeMs) =>
          Number(pod.end?.reason === reason && pod.end !== undefined && timeMs >= pod.end.atMs),
      })),
  },
  {
    metric: 'kube_pod_status_scheduled',
    rows: (pod) =>
      ['true', 'false', 'unknown'].map((condition) => ({
        labels: { condition },
        valueAt: () => Number(condition === String(pod.node !== undefined)),
      })),
  },
  {
    metric: 'kube_pod_status_unschedulable',
    rows: (pod) => (pod.node === undefined ? [{ valueAt: one }] : []),
  },
  { metric: 'kube_pod_created', rows: (pod) => [{ valueAt: () => Math.floor(pod.createdMs / 1000) }] },
  {
    metric: 'kube_pod_start_time',
    rows: (pod) => (pod.node === undefined ? [] : [{ valueAt: () => Math.floor(pod.createdMs / 1000) }]),
  },
  {
    metric: 'kube_pod_overhead_memory_bytes',
    rows: ({ overheadBytes }) => (overheadBytes === undefined ? [] : [{ valueAt: () => overheadBytes }]),
  },
  {
    metric: 'kube_pod_runtimeclass_name_info',
    rows: ({ runtimeClass }) =>
      runtimeClass === undefined ? [] : [{ labels: { runtimeclass_name: runtimeClass }, valueAt: one }],
  },
  {
    metric: 'kube_pod_container_info',
    rows: (pod) => started(pod, 'main').flatMap((container) => infoRows(pod, container, {})),
  },
  {
    metric: 'kube_pod_init_container_info',
    rows: (pod) =>
      started(pod, 'init').flatMap((container) =>
        infoRows(pod, container, { restart_policy: container.role === 'sidecar' ? 'Always' : '' }),
      ),
  },
  {
    metric: 'kube_pod_container_resource_requests',
    history: 'week',
    rows: (pod) => resourceRows(pod, 'main', ({ requests }) => requests),
  },
  {
    metric: 'kube_pod_container_resource_limits',
    history: 'week',
    rows: (pod) => resourceRows(pod, 'main', ({ limits }) => limits),
  },
  {
    metric: 'kube_pod_init_container_resource_requests',
    history: 'week',
    rows: (pod) => resourceRows(pod, 'init', ({ requests }) => requests),
  },
  {
    metric: 'kube_pod_init_container_resource_limits',
    rows: (pod) => resourceRows(pod, 'init', ({ limits }) => limits),
  },
  {
    metric: 'kube_pod_container_status_restarts_total',
    history: 'week',
    rows: (pod) =>
      started(pod, 'main').map((container) => ({
        labels: { container: container.name },
        valueAt: (timeMs) => container.restarts.filter(({ atMs }) => atMs <= timeMs).length,
      })),
  },
  {
    metric: 'kube_pod_container_status_last_terminated_reason',
    history: 'week',
    rows: (pod) => started(pod, 'main').flatMap(lastTerminatedRows),
  },
];

/** All kube-state-metrics series of a pod. */
export function* podStateSeries(
  pod: DemoPod,
  nodeIp: string,
  target: ScrapeTarget,
): Generator<ExposedSeries> {
  const identity = { namespace: pod.namespace, pod: pod.name, uid: pod.uid };
  for (const { metric, history = 'hours', rows } of families) {
    for (const row of rows(pod, nodeIp)) {
      yield {
        target,
        metric,
        history: row.history ?? history,
        labels: { ...identity, ...row.labels },
        valueAt: row.valueAt,
        fromMs: Math.max(pod.createdMs, row.fromMs ?? pod.createdMs),
        untilMs: Math.min(pod.deletedMs ?? Number.POSITIVE_INFINITY, row.untilMs ?? Number.POSITIVE_INFINITY),
        isMarked: !pod.endsUnmarked,
      };
    }
  }
}

function phaseAt(pod: DemoPod, timeMs: number): string {
  if (pod.node === undefined) {
    return 'Pending';
  }
  return pod.end === undefined || timeMs < pod.end.atMs ? 'Running' : pod.end.phase;
}

/** `init` = sidecars too: kube-state-metrics lists them among the init containers, where the spec has them. */
function containersOf(pod: DemoPod, kind: 'main' | 'init'): readonly DemoContainer[] {
  return pod.containers.filter(({ role }) => (role === 'main') === (kind === 'main'));
}

/** Containers with a status: none before the pod has a node. */
function started(pod: DemoPod, kind: 'main' | 'init'): readonly DemoContainer[] {
  return pod.node === undefined ? [] : containersOf(pod, kind);
}

/** Container id of the n-th start of a container, without the runtime's prefix. */
export function containerIdOf(pod: DemoPod, containerName: string, restart: number): string {
  return hexOf(`${pod.uid}/${containerName}/${restart}`, 64);
}

function infoRows(
  pod: DemoPod,
  { name, image, restarts }: DemoContainer,
  extra: Readonly<Record<string, string>>,
): readonly Row[] {
  const starts = [pod.createdMs, ...restarts.map(({ atMs }) => atMs)];
  return starts.map((startMs, restart) => {
    const nextMs = starts[restart + 1];
    return {
      labels: {
        container: name,
        image_spec: image,
        image,
        image_id: `registry.example.com/demo@sha256:${hexOf(image, 64)}`,
        container_id: `containerd://${containerIdOf(pod, name, restart)}`,
        ...extra,
      },
      valueAt: one,
      fromMs: startMs,
      ...(nextMs === undefined ? {} : { untilMs: nextMs }),
    };
  });
}

function resourceRows(
  pod: DemoPod,
  kind: 'main' | 'init',
  pick: (container: DemoContainer) => Resources,
): readonly Row[] {
  return containersOf(pod, kind).flatMap((container) => {
    const { memoryBytes, cpuCores } = pick(container);
    const row = (resource: string, unit: string, value: number | undefined): readonly Row[] =>
      value === undefined
        ? []
        : [
            {
              labels: { container: container.name, node: pod.node ?? '', resource, unit },
              valueAt: () => value,
            },
          ];
    return [...row('cpu', 'core', cpuCores), ...row('memory', 'byte', memoryBytes)];
  });
}

/** One row for each stretch of restarts with the same reason. */
function lastTerminatedRows({ name, restarts }: DemoContainer): readonly Row[] {
  return restarts.flatMap(({ atMs, reason }, index) => {
    if (restarts[index - 1]?.reason === reason) {
      return [];
    }
    const nextMs = restarts.slice(index).find((later) => later.reason !== reason)?.atMs;
    return [
      {
        labels: { container: name, reason },
        valueAt: one,
        fromMs: atMs,
        ...(nextMs === undefined ? {} : { untilMs: nextMs }),
      },
    ];
  });
}

function podIp(pod: DemoPod): string {
  const hex = hexOf(pod.uid, 4);
  return `10.244.${Number.parseInt(hex.slice(0, 2), 16)}.${Number.parseInt(hex.slice(2), 16)}`;
}
