import { inputIds } from '../inputs/catalogue.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { ThresholdValue } from '../kubelet/threshold.ts';
import type { Cluster } from '../model/cluster.ts';
import type { PeakWindow, PodPeak } from '../window/peak-window.ts';
import { rankNode } from './rank-node.ts';
import { noSizingKnowledge, type SizingKnowledge } from './sizing-keeper.ts';
import type { InputState, PriorityCount, RankedNode, Snapshot } from './snapshot.ts';
import { summarizeWorkloads } from './workload-summary.ts';

export interface SnapshotSettings {
  readonly threshold: ThresholdValue;
  readonly windowMs: number;
  readonly requestMargin: number;
  readonly hasClusterLabel: boolean;
}

interface SnapshotParts {
  readonly cluster: Cluster;
  readonly window: PeakWindow;
  /** Nothing where it was not asked for. */
  readonly sizing?: SizingKnowledge;
  readonly inputs: readonly InputState[];
}

/** Everything any output may show, from a joined cluster and its peaks. Pure and frozen. */
export function buildSnapshot(parts: SnapshotParts, settings: SnapshotSettings): Snapshot {
  const { cluster, window } = parts;
  const nodes = rankNodes(cluster, readPeaks(cluster, window), settings.threshold);
  return completeSnapshot({ ...parts, nodes }, settings);
}

/** By node and pod, in the order of the cluster. */
type ClusterPeaks = readonly (readonly (PodPeak | undefined)[])[];

/** The first step: what the window knows of every pod. */
export function readPeaks({ nodes }: Cluster, window: PeakWindow): ClusterPeaks {
  return nodes.map(({ pods }) => pods.map((pod) => window.podPeak(pod)));
}

/** The second step: the pods of every node, ranked. */
export function rankNodes({ nodes }: Cluster, peaks: ClusterPeaks, threshold: ThresholdValue): RankedNode[] {
  return nodes.map((node, i) => rankNode(node, peaks[i] ?? [], threshold));
}

/** The third step: what is said of workloads and priorities. */
export function completeSnapshot(
  {
    cluster,
    window,
    sizing = noSizingKnowledge,
    inputs,
    nodes,
  }: SnapshotParts & { readonly nodes: readonly RankedNode[] },
  settings: SnapshotSettings,
): Snapshot {
  return Object.freeze({
    evaluatedAtMs: cluster.evaluatedAtMs,
    windowSeconds: settings.windowMs / 1000,
    windowCoverageRatio: window.coverageRatio,
    requestMargin: settings.requestMargin,
    hasClusterLabel: settings.hasClusterLabel,
    nodes: Object.freeze(nodes),
    workloads: Object.freeze(
      summarizeWorkloads(
        nodes,
        { window, sizing, initNeedBytes: cluster.initNeedBytes },
        settings.requestMargin,
      ),
    ),
    priorities: Object.freeze(countPriorities(nodes)),
    inputs: Object.freeze(inputs),
    problems: Object.freeze([...cluster.problems, ...window.problems, ...sizing.problems]),
  });
}

/** The state of every input row, as the status shows it. */
export function inputStates({ rows }: CollectedInputs): InputState[] {
  return inputIds.map((id) => {
    const { outcome, source, samples, error } = rows[id];
    return { id, outcome, source: source?.metric, series: samples.length, error: error?.message };
  });
}

function countPriorities(nodes: readonly RankedNode[]): PriorityCount[] {
  const counts = new Map<string | undefined, Map<number, number>>();
  for (const { pods } of nodes) {
    for (const { pod } of pods) {
      const ofClass = counts.get(pod.priorityClass) ?? new Map<number, number>();
      ofClass.set(pod.priority, (ofClass.get(pod.priority) ?? 0) + 1);
      counts.set(pod.priorityClass, ofClass);
    }
  }
  return [...counts]
    .flatMap(([priorityClass, ofClass]) =>
      [...ofClass].map(([priority, pods]): PriorityCount => ({ priority, priorityClass, pods })),
    )
    .sort((a, b) => b.priority - a.priority || b.pods - a.pods);
}
