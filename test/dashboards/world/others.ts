import { metrics } from '../../../src/outputs/metrics/catalogue.ts';
import { evictionHour } from './exported.ts';
import { evictedPods, worldNodes, worldPods } from './pods.ts';
import type { Add } from './series.ts';

const qosClasses = ['Guaranteed', 'Burstable', 'BestEffort'] as const;

function addPodObject(
  pod: { namespace: string; name: string; node: string; qosClass: string },
  add: Add,
): void {
  const name = { namespace: pod.namespace, pod: pod.name };
  add('kube_pod_info', { ...name, uid: `uid-${pod.name}`, node: pod.node }, 1);
  for (const qos of qosClasses) {
    add('kube_pod_status_qos_class', { ...name, qos_class: qos }, Number(qos === pod.qosClass));
  }
}

/** kube-state-metrics. */
export function addObjects(hours: number, add: Add): void {
  for (const pod of worldPods) {
    addPodObject(pod, add);
    const name = { namespace: pod.namespace, pod: pod.name };
    const container = { ...name, container: 'app' };
    const memory = { ...container, resource: 'memory', unit: 'byte' };
    const replicaSet = `${pod.workload}-7c9d`;
    const isDeployment = pod.workloadKind === 'Deployment';
    add('kube_pod_status_reason', { ...name, reason: 'Evicted' }, 0);
    add(
      'kube_pod_owner',
      {
        ...name,
        owner_kind: isDeployment ? 'ReplicaSet' : pod.workloadKind,
        owner_name: isDeployment ? replicaSet : pod.workload,
        owner_is_controller: 'true',
      },
      1,
    );
    if (isDeployment) {
      const labels = {
        namespace: pod.namespace,
        replicaset: replicaSet,
        owner_kind: 'Deployment',
        owner_name: pod.workload,
      };
      add('kube_replicaset_owner', labels, 1);
    }
    add(
      'kube_pod_container_resource_requests',
      memory,
      pod.requestBytes === 0 ? undefined : pod.requestBytes,
    );
    add('kube_pod_container_resource_limits', memory, pod.limitBytes);
    const isKilled = pod.workload === 'cart' && hours > 2;
    add('kube_pod_container_status_restarts_total', container, isKilled ? 1 : 0);
    if (isKilled) {
      add('kube_pod_container_status_last_terminated_reason', { ...container, reason: 'OOMKilled' }, 1);
    }
    add('container_memory_working_set_bytes', { ...container, image: 'app:1' }, pod.usageBytes(hours));
  }
  if (hours < evictionHour) return;
  for (const pod of evictedPods) {
    addPodObject(pod, add);
    const name = { namespace: pod.namespace, pod: pod.name };
    add('kube_pod_status_reason', { ...name, reason: 'Evicted' }, 1);
    add(
      'kube_pod_owner',
      {
        ...name,
        owner_kind: 'ReplicaSet',
        owner_name: `${pod.workload}-7c9d`,
        owner_is_controller: 'true',
      },
      1,
    );
  }
}

/** The kubelets' own counters; worker-2's series name their node only in `instance`. */
export function addKubelets(hours: number, add: Add): void {
  for (const { name } of worldNodes) {
    const target =
      name === 'worker-2' ? { instance: `${name}:10250` } : { instance: '10.0.0.1:10250', node: name };
    add('up', { job: 'kubelet', ...target }, 1);
    if (hours < evictionHour || name === 'worker-3') continue;
    const count = name === 'worker-1' ? 2 : 1;
    add('kubelet_evictions', { job: 'kubelet', ...target, eviction_signal: 'memory.available' }, count);
  }
}

function addHistogram(name: string, labels: Readonly<Record<string, string>>, count: number, add: Add): void {
  for (const [le, share] of [
    ['0.1', 0.5],
    ['1', 0.9],
    ['+Inf', 1],
  ] as const) {
    add(`${name}_bucket`, { ...labels, le }, Math.floor(count * share));
  }
}

/** evictrank about itself. */
export function addService(hours: number, nowSeconds: number, add: Add): void {
  const target = { job: 'evictrank', instance: 'evictrank:8080' };
  const refreshes = Math.floor(hours * 60);
  const one = (name: string, value: number, labels: Readonly<Record<string, string>> = {}) =>
    add(name, { ...target, ...labels }, value);
  one(metrics.sourceUp.name, 1);
  one(metrics.lastRefreshTimestamp.name, nowSeconds - 20);
  one(metrics.refreshes.name, refreshes, { outcome: 'ok' });
  one(metrics.refreshes.name, Math.floor(refreshes / 40), { outcome: 'failed' });
  one(metrics.windowCoverage.name, Math.min(1, hours / 2));
  one(metrics.inputProblems.name, 2, { kind: 'missing_input' });
  one(metrics.buildInfo.name, 1, { version: '0.1.0', node_version: 'v20.20.2' });
  addHistogram(metrics.refreshDuration.name, target, refreshes, add);
  for (const query of ['pods', 'pod_usage']) {
    addHistogram(metrics.queryDuration.name, { ...target, query }, refreshes, add);
    one(metrics.querySamples.name, refreshes * 120, { query });
  }
  one('process_resident_memory_bytes', 180e6);
  one('process_cpu_seconds_total', hours * 90);
  one('nodejs_eventloop_lag_p99_seconds', 0.011);
  one('nodejs_heap_size_used_bytes', 70e6);
}
