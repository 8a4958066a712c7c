import type { RankedPod, Snapshot, WorkloadSummary } from '../../snapshot/snapshot.ts';
import { type MetricKey, metrics } from './catalogue.ts';
import { type Emit, familyHeader, label } from './exposition.ts';
import { nodeSamples } from './node-samples.ts';
import { podSamples } from './pod-samples.ts';

/** Which pod series are exported; all of them unless a very large cluster needs fewer. */
export interface RenderSettings {
  readonly disabledFamilies: ReadonlySet<string>;
  /** Pods that stand behind this rank on both bases are left out; 0 = none are. */
  readonly maxRank: number;
}

type WorkloadMetricKey = Extract<MetricKey, `workload${string}`>;

const workloadValues: Readonly<Record<WorkloadMetricKey, (row: WorkloadSummary) => number | undefined>> = {
  workloadMemoryPeak: (row) => row.peakBytes,
  workloadMemoryRequest: (row) => row.requestBytes,
  workloadMemoryRecommendedRequest: (row) => row.recommendedRequestBytes,
  workloadReplicas: (row) => row.replicas,
};

/** Pieces are about this long, so that nobody has to hold the whole text: it is 300 MB on the largest clusters. */
const pieceLength = 1 << 18;

/**
 * The families about pods, nodes, workloads and priorities in the text format, piece by piece: what prom-client would
 * print for the same series, at a fraction of its time and memory. Each family ends with an empty line.
 */
export function* renderSnapshot(snapshot: Snapshot, settings: RenderSettings): Generator<string, void> {
  let text = '';
  for (const [family, subjects] of familyWriters(snapshot, settings)) {
    text += familyHeader(family);
    const emit: Emit = (labels, value) => {
      if (value === undefined) return;
      text += labels === '' ? `${family.name} ${value}\n` : `${family.name}{${labels}} ${value}\n`;
    };
    for (const write of subjects) {
      write(emit);
      if (text.length > pieceLength) {
        yield text;
        text = '';
      }
    }
    text += '\n';
  }
  yield text;
}

type Write = (emit: Emit) => void;

function* familyWriters(
  snapshot: Snapshot,
  settings: RenderSettings,
): Generator<[(typeof metrics)[MetricKey], Iterable<Write>], void> {
  const cluster = (name: string | undefined): string =>
    snapshot.hasClusterLabel ? `${label('cluster', name ?? '')},` : '';

  const pods = snapshot.nodes
    .flatMap((node) => node.pods)
    .filter((pod) => isExported(pod, settings.maxRank))
    // Labels shared by all families of a pod are written once, not once per family.
    .map((ranked): [RankedPod, string] => {
      const { pod } = ranked;
      const identity = `${cluster(pod.cluster)}${label('namespace', pod.namespace)},${label('pod', pod.name)},${label('node', pod.node)}`;
      return [ranked, identity];
    });
  for (const [key, samples] of entriesOf(podSamples)) {
    if (settings.disabledFamilies.has(metrics[key].name)) continue;
    yield [
      metrics[key],
      mapEach(
        pods,
        ([pod, identity]) =>
          (emit) =>
            samples(pod, identity, emit),
      ),
    ];
  }

  for (const [key, samples] of entriesOf(nodeSamples)) {
    const write = (node: (typeof snapshot.nodes)[number]): Write => {
      const identity = `${cluster(node.node.cluster)}${label('node', node.node.name)}`;
      return (emit) => samples(node, identity, emit);
    };
    yield [metrics[key], mapEach(snapshot.nodes, write)];
  }

  for (const [key, value] of entriesOf(workloadValues)) {
    const write = (row: WorkloadSummary): Write => {
      const { cluster: name, namespace, kind, name: workload } = row.workload;
      const identity = `${cluster(name)}${label('namespace', namespace)},${label('workload_kind', kind)},${label('workload', workload)}`;
      return (emit) => emit(identity, value(row));
    };
    yield [metrics[key], mapEach(snapshot.workloads, write)];
  }

  yield [
    metrics.priorityPods,
    mapEach(snapshot.priorities, ({ priority, priorityClass, pods: count }): Write => {
      const labels = `priority="${priority}",${label('priority_class', priorityClass ?? '')}`;
      return (emit) => emit(labels, count);
    }),
  ];
}

function isExported({ now, peak }: RankedPod, maxRank: number): boolean {
  if (maxRank === 0) return true;
  return [now.rank, peak.rank].some((rank) => rank !== undefined && rank <= maxRank);
}

/** Names of the families that `--metrics.disable` may name. */
export const podFamilyNames: readonly string[] = entriesOf(podSamples).map(([key]) => metrics[key].name);

function entriesOf<K extends string, V>(table: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(table) as [K, V][];
}

function* mapEach<T, U>(items: readonly T[], map: (item: T) => U): Generator<U, void> {
  for (const item of items) yield map(item);
}
