import { infoRows, lastTerminatedRows, type Row, resourceRows, started } from './container-state-rows.ts';
import type { DemoPod } from './description.ts';
import type { ExposedSeries } from './exposed-series.ts';
import { one } from './exposed-series.ts';
import { hexOf } from './random.ts';
import type { ScrapeTarget } from './scrape-target.ts';

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

function podIp(pod: DemoPod): string {
  const hex = hexOf(pod.uid, 4);
  return `10.244.${Number.parseInt(hex.slice(0, 2), 16)}.${Number.parseInt(hex.slice(2), 16)}`;
}
