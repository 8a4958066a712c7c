import { parseQuantity } from '../../src/foundation/quantity.ts';
import type { Node } from '../../src/model/node.ts';
import type { Pod } from '../../src/model/pod.ts';
import { buildSnapshot, type SnapshotSettings } from '../../src/snapshot/build.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { PeakWindow } from '../../src/window/peak-window.ts';

export const settings: SnapshotSettings = {
  threshold: { quantity: parseQuantity('100') },
  windowMs: 604_800_000,
  requestMargin: 0.15,
  hasClusterLabel: false,
};

/** A pod with the facts given and harmless ones for the rest. */
export function podOf(facts: Partial<Pod> & { name: string }): Pod {
  return {
    cluster: undefined,
    namespace: 'default',
    uid: `uid-${facts.name}`,
    node: 'n1',
    phase: 'Running',
    qosClass: 'Burstable',
    priority: 0,
    priorityClass: undefined,
    isStatic: false,
    workload: { kind: 'Deployment', name: facts.name },
    usageBytes: 100,
    requestBytes: 200,
    ...facts,
  };
}

export function nodeOf(facts: Partial<Node>): Node {
  const pods = facts.pods ?? [];
  return {
    cluster: undefined,
    name: 'n1',
    capacityBytes: 2000,
    allocatableBytes: 1900,
    workingSetBytes: 1500,
    kubeletVersion: undefined,
    hasUsageData: pods.length === 0 || pods.some((pod) => pod.usageBytes !== undefined),
    podsWithLostSamples: 0,
    ...facts,
    pods,
  };
}

const hoursOf = (peakBytes: number | undefined) =>
  peakBytes === undefined ? undefined : Array<number>(168).fill(peakBytes);

/** A window that knows the peaks given, by pod name. */
export function windowOf(peaks: Readonly<Record<string, number>> = {}): PeakWindow {
  return {
    coverageRatio: 1,
    problems: [],
    podPeak(pod) {
      const peakBytes = peaks[pod.name];
      return peakBytes === undefined ? undefined : { peakBytes, timeOverRequestRatio: 0.25 };
    },
    workloadPeakBytes: ({ name }) => peaks[name],
    observedHours: () => 168,
    workloadHours: ({ name }) => hoursOf(peaks[name]),
    podHours: ({ name }) => hoursOf(peaks[name]),
  };
}

export function snapshotOf(
  nodes: readonly Node[],
  options: { peaks?: Readonly<Record<string, number>>; settings?: Partial<SnapshotSettings> } = {},
): Snapshot {
  return buildSnapshot(
    {
      cluster: {
        evaluatedAtMs: 1_700_000_000_000,
        nodes,
        finishedPods: [],
        initNeedBytes: new Map(),
        problems: [],
      },
      window: windowOf(options.peaks),
      inputs: [],
    },
    { ...settings, ...options.settings },
  );
}
