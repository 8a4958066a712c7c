import { derivedQosClass } from './derived-qos.ts';
import { jobOwnerQuery, replicaSetOwnerQuery } from './owner-inputs.ts';
import { groupBy, maxBy, type QueryScope, series, sumBy } from './scope.ts';
import type { InputSource, InputSpec } from './source.ts';
import { podCgroupSeries, podUsageSources, usageKeys } from './usage-sources.ts';

const ksmRemedy = 'let Prometheus scrape kube-state-metrics and allow this metric there';
const cadvisorRemedy =
  "let Prometheus scrape the kubelet's /metrics/cadvisor (or /metrics/resource) on every node";

/** Labels that identify a pod generation in kube-state-metrics: a recreated pod keeps its name, not its uid. */
function podKeys(scope: QueryScope): (string | undefined)[] {
  const keys = scope.labels.ksm;
  return [keys.cluster, keys.namespace, keys.pod, keys.uid];
}

function ksm(metric: string, query: (scope: QueryScope) => string): InputSource {
  return { metric, exporter: 'ksm', query };
}

/**
 * kube-scheduler's series of pods. Without honor_labels, as kube-prometheus-stack scrapes it, `pod` names the scheduler
 * itself; such series are no source, so that the next one is taken instead of a request of zero for every pod.
 */
function schedulerSeries(scope: QueryScope, matcher: string): string {
  const own = scope.labels.scheduler.pod === 'pod' ? ['exported_pod=""'] : [];
  return series(scope, 'kube_pod_resource_request', matcher, ...own);
}

/** The inputs about pods, one row each; the key is the input's id everywhere. */
export const podInputs = {
  pods: {
    identity: ['namespace', 'pod', 'node'],
    onFailure: 'abort',
    whenEmpty: 'problem',
    cost: 'No pod is known, so nothing can be ranked.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_info', (scope) =>
        groupBy(
          [...podKeys(scope), scope.labels.ksm.node, 'priority_class', 'created_by_kind', 'created_by_name'],
          series(scope, 'kube_pod_info', `${scope.labels.ksm.node}!=""`),
        ),
      ),
    ],
  },
  // Without honor_labels, `pod` and `namespace` name kube-state-metrics itself and the pods' own labels are renamed.
  renamed_labels: {
    identity: [],
    onFailure: 'abort',
    whenEmpty: 'good',
    cost: 'Renamed labels would not be noticed.',
    remedy: 'set honor_labels: true for the scrape job of kube-state-metrics, or --labels.ksm.…',
    sources: [
      ksm('kube_pod_info', (scope) => `count(${series(scope, 'kube_pod_info', 'exported_pod!=""')})`),
    ],
  },
  pod_phase: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'problem',
    cost: 'Finished pods cannot be told from running ones, so nothing is ranked.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_status_phase', (scope) =>
        // Not `== 1`: a NaN would look like a pod that has finished.
        maxBy(
          [...podKeys(scope), 'phase'],
          `${series(scope, 'kube_pod_status_phase', 'phase=~"Running|Pending"')} != 0`,
        ),
      ),
    ],
  },
  // Only pods whose name has several uids at once: a StatefulSet pod recreated within the last five minutes.
  pod_created: {
    identity: ['namespace', 'pod'],
    onFailure: 'degrade',
    whenEmpty: 'normal',
    cost: 'Of a pod recreated under its old name, the older generation may be shown for up to five minutes.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_created', (scope) => {
        const { cluster, namespace, pod } = scope.labels.ksm;
        const name = [cluster, namespace, pod].filter((label) => label !== undefined).join(', ');
        const generations = maxBy(podKeys(scope), series(scope, 'kube_pod_info'));
        const created = maxBy(podKeys(scope), series(scope, 'kube_pod_created'));
        return `${created} and on (${name}) (count by (${name}) (${generations}) > 1)`;
      }),
    ],
  },
  pod_qos: {
    identity: ['namespace', 'pod'],
    onFailure: 'degrade',
    whenEmpty: 'problem',
    cost: 'The QoS class of pods is not shown; the order does not depend on it.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_status_qos_class', (scope) =>
        maxBy([...podKeys(scope), 'qos_class'], `${series(scope, 'kube_pod_status_qos_class')} == 1`),
      ),
      ksm('requests and limits of containers (derived)', derivedQosClass),
    ],
  },
  pod_usage: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'problem',
    cost: 'No memory usage is known, so no node can be ranked.',
    remedy: cadvisorRemedy,
    sources: podUsageSources,
  },
  // The same overlap as pod_created on cAdvisor's side: two cgroups under one pod name, told apart by the uid in the id.
  pod_usage_overlap: {
    identity: ['namespace', 'pod'],
    onFailure: 'degrade',
    whenEmpty: 'normal',
    cost: 'Of a pod recreated under its old name, the larger usage of the two generations may be shown for up to five minutes.',
    remedy: cadvisorRemedy,
    sources: [
      {
        metric: 'container_memory_working_set_bytes (pod cgroup)',
        exporter: 'cadvisor',
        query: (scope) => {
          const name = usageKeys(scope)
            .filter((label) => label !== undefined)
            .join(', ');
          const byCgroup = maxBy([...usageKeys(scope), 'id'], podCgroupSeries(scope));
          return `${byCgroup} and on (${name}) (count by (${name}) (${byCgroup}) > 1)`;
        },
      },
    ],
  },
  pod_request: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'problem',
    cost: 'No memory request is known, so no node can be ranked.',
    remedy: ksmRemedy,
    sources: [
      {
        // Handles sidecars, init containers, overhead and pod-level resources as the kubelet does; off by default in many set-ups.
        metric: 'kube_pod_resource_request',
        exporter: 'scheduler',
        query: (scope) => {
          const { cluster, namespace, pod } = scope.labels.scheduler;
          return maxBy([cluster, namespace, pod], schedulerSeries(scope, 'resource="memory"'));
        },
      },
      ksm('kube_pod_container_resource_requests', (scope) =>
        sumBy(
          podKeys(scope),
          maxBy(
            [...podKeys(scope), scope.labels.ksm.container],
            series(scope, 'kube_pod_container_resource_requests', 'resource="memory"'),
          ),
        ),
      ),
    ],
  },
  init_request: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'normal',
    cost: 'Requests of init containers and sidecars are taken as 0.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_init_container_resource_requests', (scope) =>
        maxBy(
          [...podKeys(scope), scope.labels.ksm.container],
          series(scope, 'kube_pod_init_container_resource_requests', 'resource="memory"'),
        ),
      ),
    ],
  },
  sidecars: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'normal',
    cost: 'Sidecars (init containers with restartPolicy Always) are counted as plain init containers.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_init_container_info', (scope) =>
        groupBy(
          [...podKeys(scope), scope.labels.ksm.container],
          series(scope, 'kube_pod_init_container_info', 'restart_policy="Always"'),
        ),
      ),
    ],
  },
  pod_overhead: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'normal',
    cost: 'RuntimeClass overhead is taken as 0.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_overhead_memory_bytes', (scope) =>
        maxBy(podKeys(scope), series(scope, 'kube_pod_overhead_memory_bytes')),
      ),
    ],
  },
  pod_priority: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'normal',
    cost: 'Priorities come from the priority class names through --priority-classes.',
    remedy: "let Prometheus scrape kube-scheduler's /metrics/resources, or set --priority-classes",
    sources: [
      {
        metric: 'kube_pod_resource_request',
        exporter: 'scheduler',
        query: (scope) => {
          const { cluster, namespace, pod } = scope.labels.scheduler;
          return groupBy([cluster, namespace, pod, 'priority'], schedulerSeries(scope, 'priority!=""'));
        },
      },
    ],
  },
  static_pods: {
    identity: ['namespace', 'pod'],
    onFailure: 'abort',
    whenEmpty: 'normal',
    cost: 'Static pods are not known to be protected, unless kube_pod_info says who created them.',
    remedy: ksmRemedy,
    sources: [
      ksm('kube_pod_owner', (scope) =>
        groupBy(podKeys(scope), series(scope, 'kube_pod_owner', 'owner_kind="Node"')),
      ),
    ],
  },
  replicaset_owner: {
    identity: ['namespace'],
    onFailure: 'degrade',
    whenEmpty: 'normal',
    cost: 'Workloads are shown as ReplicaSets instead of Deployments.',
    remedy: ksmRemedy,
    sources: [ksm('kube_replicaset_owner', (scope) => replicaSetOwnerQuery(scope))],
  },
  job_owner: {
    identity: ['namespace'],
    onFailure: 'degrade',
    whenEmpty: 'normal',
    cost: 'Workloads are shown as Jobs instead of CronJobs.',
    remedy: ksmRemedy,
    sources: [ksm('kube_job_owner', (scope) => jobOwnerQuery(scope))],
  },
} as const satisfies Record<string, InputSpec>;
