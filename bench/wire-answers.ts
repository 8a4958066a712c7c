import { hourMs } from '../src/window/hour.ts';
import { type BenchCluster, type BenchPod, usageBytesAt } from './cluster.ts';

/** In the order of their names, as Prometheus writes them. */
type Labels = Readonly<Record<string, string>>;
export type Row = readonly [labels: Labels, value: number];

/** The answer to one kind of query: recognised by its text, made for an evaluation time. */
export interface WireRule {
  readonly matches: RegExp;
  readonly rows: (cluster: BenchCluster, timeMs: number) => Iterable<Row>;
  /** The series that a Prometheus must hold to give the same answer: this metric, with the labels of the rows and these. */
  readonly stored?: { readonly metric: string; readonly labels?: Labels };
}

export const usageMetric = 'pod_memory_working_set_bytes';

function perPod(labels: (pod: BenchPod) => Labels, value: (pod: BenchPod) => number = () => 1) {
  return function* rows({ pods }: BenchCluster): Generator<Row> {
    for (const pod of pods) yield [labels(pod), value(pod)];
  };
}

function perPodWhere(
  fits: (pod: BenchPod) => boolean,
  labels: (pod: BenchPod) => Labels,
  value: (pod: BenchPod) => number = () => 1,
) {
  return function* rows({ pods }: BenchCluster): Generator<Row> {
    for (const pod of pods) if (fits(pod)) yield [labels(pod), value(pod)];
  };
}

function* usage({ pods }: BenchCluster, timeMs: number): Generator<Row> {
  for (const [i, pod] of pods.entries()) yield [nameOf(pod), usageBytesAt(pod, i, timeMs)];
}

const nameOf = ({ namespace, name }: BenchPod): Labels => ({ namespace, pod: name });
const identityOf = ({ namespace, name, uid }: BenchPod): Labels => ({ namespace, pod: name, uid });
const creatorOf = ({ createdBy }: BenchPod): Labels => ({
  created_by_kind: createdBy.kind,
  created_by_name: createdBy.name,
});

/** First match wins; what matches nothing is answered with no series, as of a metric that nobody exports. */
export const wireRules: readonly WireRule[] = [
  { matches: /kube_pod_created|, id\)|id="\/"/, rows: () => [] },
  {
    matches: /max_over_time\(kube_pod_info/,
    rows: perPod((pod) => ({ ...creatorOf(pod), namespace: pod.namespace, pod: pod.name })),
  },
  {
    matches: /by \(.*node.*kube_pod_info/,
    stored: { metric: 'kube_pod_info' },
    rows: perPod((pod) => ({
      ...creatorOf(pod),
      namespace: pod.namespace,
      node: pod.node,
      pod: pod.name,
      // Prometheus drops empty labels.
      ...(pod.priorityClass === '' ? {} : { priority_class: pod.priorityClass }),
      uid: pod.uid,
    })),
  },
  {
    matches: /kube_pod_status_phase/,
    stored: { metric: 'kube_pod_status_phase' },
    rows: perPod((pod) => ({ ...identityOf(pod), phase: 'Running' })),
  },
  {
    matches: /kube_pod_status_qos_class/,
    stored: { metric: 'kube_pod_status_qos_class' },
    rows: perPod((pod) => ({ ...identityOf(pod), qos_class: pod.qosClass })),
  },
  {
    matches: /node_memory_working_set_bytes/,
    stored: { metric: 'node_memory_working_set_bytes' },
    rows: nodeWorkingSets,
  },
  { matches: new RegExp(usageMetric), stored: { metric: usageMetric }, rows: usage },
  {
    matches: /kube_pod_resource_request\{priority/,
    stored: { metric: 'kube_pod_resource_request', labels: { resource: 'cpu' } },
    rows: perPod((pod) => ({ ...nameOf(pod), priority: `${pod.priority}` })),
  },
  {
    matches: /kube_pod_resource_request/,
    stored: { metric: 'kube_pod_resource_request', labels: { resource: 'memory' } },
    rows: perPodWhere(
      ({ requestBytes }) => requestBytes > 0,
      nameOf,
      ({ requestBytes }) => requestBytes,
    ),
  },
  {
    matches: /kube_pod_init_container_resource_requests/,
    stored: { metric: 'kube_pod_init_container_resource_requests', labels: { resource: 'memory' } },
    rows: perPodWhere(
      ({ hasInitContainer }) => hasInitContainer,
      (pod) => ({ container: 'migrate', ...identityOf(pod) }),
      () => 2 ** 26,
    ),
  },
  {
    matches: /kube_pod_init_container_info/,
    stored: { metric: 'kube_pod_init_container_info', labels: { restart_policy: 'Always' } },
    rows: perPodWhere(
      ({ hasSidecar }) => hasSidecar,
      (pod) => ({ container: 'proxy', ...identityOf(pod) }),
    ),
  },
  {
    matches: /kube_pod_owner/,
    stored: { metric: 'kube_pod_owner', labels: { owner_kind: 'Node' } },
    rows: perPodWhere(({ isStatic }) => isStatic, identityOf),
  },
  {
    matches: /kube_replicaset_owner/,
    stored: { metric: 'kube_replicaset_owner', labels: { owner_is_controller: 'true' } },
    rows: replicaSetOwners,
  },
  {
    matches: /kube_node_info/,
    stored: { metric: 'kube_node_info' },
    rows: ({ nodes }) => nodes.map(({ name, ip }): Row => [{ internal_ip: ip, node: name }, 1]),
  },
  {
    matches: /kube_node_status_capacity/,
    stored: { metric: 'kube_node_status_capacity', labels: { resource: 'memory' } },
    rows: ({ nodes }) => nodes.map(({ name, capacityBytes }): Row => [{ node: name }, capacityBytes]),
  },
  {
    matches: /kube_node_status_allocatable/,
    stored: { metric: 'kube_node_status_allocatable', labels: { resource: 'memory' } },
    rows: ({ nodes }) => nodes.map(({ name, allocatableBytes }): Row => [{ node: name }, allocatableBytes]),
  },
];

/** The rule that answers a query; undefined where none does. */
export function ruleFor(query: string): WireRule | undefined {
  return wireRules.find(({ matches }) => matches.test(query));
}

function* replicaSetOwners({ replicaSets }: BenchCluster): Generator<Row> {
  for (const { namespace, name, deployment } of replicaSets) {
    yield [{ namespace, owner_kind: 'Deployment', owner_name: deployment, replicaset: name }, 1];
  }
}

function* nodeWorkingSets({ pods, nodes }: BenchCluster, timeMs: number): Generator<Row> {
  const sums = new Map<string, number>();
  for (const [i, pod] of pods.entries()) {
    sums.set(pod.node, (sums.get(pod.node) ?? 0) + usageBytesAt(pod, i, timeMs));
  }
  for (const { name, ip } of nodes) {
    yield [{ instance: `${ip}:10250`, node: name }, (sums.get(name) ?? 0) + 2 ** 30];
  }
}

const stats = '"stats":{"timings":{},"samples":{"totalQueryableSamples":0,"peakSamples":0}}';

/** The body of an instant query's answer as Prometheus writes it (`web/api/v1/api.go`), in pieces. */
export function* vectorBody(rows: Iterable<Row>, timeMs: number): Generator<string> {
  let text = '{"status":"success","data":{"resultType":"vector","result":[';
  let separator = '';
  for (const [labels, value] of rows) {
    text += `${separator}{"metric":${JSON.stringify(labels)},"value":[${timeMs / 1000},"${value}"]}`;
    separator = ',';
    if (text.length > pieceLength) {
      yield text;
      text = '';
    }
  }
  yield `${text}],${stats}}}`;
}

/** The body of a range query's answer: an hourly maximum of usage at each step. */
export function* matrixBody(
  { pods }: BenchCluster,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Generator<string> {
  let text = '{"status":"success","data":{"resultType":"matrix","result":[';
  let separator = '';
  for (const [i, pod] of pods.entries()) {
    let points = '';
    for (let timeMs = startMs; timeMs <= endMs; timeMs += hourMs) {
      points += `${points === '' ? '' : ','}[${timeMs / 1000},"${usageBytesAt(pod, i, timeMs)}"]`;
    }
    text += `${separator}{"metric":${JSON.stringify(nameOf(pod))},"values":[${points}]}`;
    separator = ',';
    if (text.length > pieceLength) {
      yield text;
      text = '';
    }
  }
  yield `${text}],${stats}}}`;
}

const pieceLength = 1 << 16;
