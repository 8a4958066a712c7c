import { inputIds } from '../inputs/catalogue.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { ThresholdValue } from '../kubelet/threshold.ts';
import type { Cluster } from '../model/cluster.ts';
import type { PeakWindow } from '../window/peak-window.ts';
import { rankNode } from './rank-node.ts';
import type { InputState, PriorityCount, RankedNode, Snapshot } from './snapshot.ts';
import { summarizeWorkloads } from './workload-summary.ts';

export interface SnapshotSettings {
  readonly threshold: ThresholdValue;
  readonly windowMs: number;
  readonly requestMargin: number;
  readonly hasClusterLabel: boolean;
}

/** Everything any output may show, from a joined cluster and its peaks. Pure and frozen. */
export function buildSnapshot(
  parts: { cluster: Cluster; window: PeakWindow; inputs: readonly InputState[] },
  settings: SnapshotSettings,
): Snapshot {
  const { cluster, window, inputs } = parts;
  const nodes = cluster.nodes.map((node) => rankNode(node, window, settings.threshold));
  return Object.freeze({
    evaluatedAtMs: cluster.evaluatedAtMs,
    windowSeconds: settings.windowMs / 1000,
    windowCoverageRatio: window.coverageRatio,
    requestMargin: settings.requestMargin,
    hasClusterLabel: settings.hasClusterLabel,
    nodes: Object.freeze(nodes),
    workloads: Object.freeze(summarizeWorkloads(nodes, window, settings.requestMargin)),
    priorities: Object.freeze(countPriorities(nodes)),
    inputs: Object.freeze(inputs),
    problems: Object.freeze([...cluster.problems, ...window.problems]),
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
