import type { ComparatorGroup, DecidedBy } from '../../kubelet/candidate.ts';
import { evictionDistances } from '../../kubelet/distance.ts';
import type { NodeDetail, NodePod } from '../../outputs/api/node-detail.ts';
import {
  type ChangedCandidate,
  type PlayedScenario,
  playScenario,
  type ScenarioNode,
} from '../../scenario/play.ts';
import { type PodChange, readMinimumReclaim, readThreshold, type Scenario } from '../../scenario/scenario.ts';
import { notesOn } from '../../scenario/simulate.ts';
import type { ScenarioSettings } from './scenario-address.ts';

/** A pod as it stands in the scenario. Without a scenario it stands as the kubelet ranks it now. */
export interface PlayedPod {
  readonly pod: NodePod;
  readonly key: string;
  readonly rank: number | undefined;
  readonly tied: boolean;
  readonly group: ComparatorGroup | undefined;
  readonly decidedBy: DecidedBy | undefined;
  readonly priority: number;
  readonly requestBytes: number | undefined;
  readonly usageBytes: number | undefined;
  /** What somebody has set for it. */
  readonly change: PodChange | undefined;
  readonly distanceBytes: number | undefined;
  readonly eviction: PodEviction | undefined;
  /** As the kubelet's comparators see it; undefined on a node that is not ranked. */
  readonly candidate: ChangedCandidate | undefined;
}

export interface PodEviction {
  /** 1 = first. */
  readonly order: number;
  readonly availableBeforeBytes: number;
  readonly availableAfterBytes: number;
}

export interface Play {
  /** In eviction order, protected ones last. */
  readonly pods: readonly PlayedPod[];
  readonly played: PlayedScenario;
  readonly notes: readonly string[];
}

/** Pods that a scenario changes but that are not on the node any more. */
export function missingPods(detail: NodeDetail, changes: readonly PodChange[]): readonly PodChange[] {
  const names = new Set(detail.pods.map(keyOf));
  return changes.filter((change) => !names.has(keyOf(change)));
}

/** On the basis `peak` every pod is taken to use its highest of the window, all at the same time. */
export function scenarioFor(detail: NodeDetail, settings: ScenarioSettings): Scenario {
  const changes = new Map(settings.pods.map((change) => [keyOf(change), change]));
  return {
    extraNodeUsageBytes: settings.extraNodeUsageBytes,
    threshold: settings.threshold === undefined ? undefined : readThreshold(settings.threshold),
    minimumReclaim:
      settings.minimumReclaim === undefined ? undefined : readMinimumReclaim(settings.minimumReclaim),
    pods: detail.pods.flatMap((pod): PodChange[] => {
      const change = changes.get(keyOf(pod));
      const usageBytes = change?.usageBytes ?? (settings.basis === 'peak' ? peakIfHigher(pod) : undefined);
      if (change === undefined && usageBytes === undefined) return [];
      return [{ namespace: pod.namespace, pod: pod.pod, ...change, usageBytes }];
    }),
  };
}

/** @throws ScenarioError where too little is known of the node */
export function play(detail: NodeDetail, settings: ScenarioSettings): Play {
  const changes = new Map(settings.pods.map((change) => [keyOf(change), change]));
  const sources = new Map(detail.pods.map((pod) => [keyOf(pod), pod]));
  const played = playScenario(nodeOf(detail), scenarioFor(detail, settings));
  const { run, availableBytes, thresholdBytes } = played;
  const order = [...run.evictions, ...run.survivors];
  // A Pending pod has not started: nothing is what it would give back, and not unknown.
  const distances = evictionDistances(
    order.map((ranked) =>
      ranked.candidate.usage === undefined && !ranked.candidate.isRunning
        ? { ...ranked, candidate: { ...ranked.candidate, usage: 0 } }
        : ranked,
    ),
    availableBytes - thresholdBytes,
  );
  return {
    played,
    notes: notesOn(run, availableBytes),
    pods: order.flatMap(({ candidate, standing }, index): PlayedPod[] => {
      const key = `${candidate.namespace}/${candidate.name}`;
      const pod = sources.get(key);
      if (pod === undefined) return [];
      const eviction = run.evictions[index];
      return [
        {
          ...standing,
          pod,
          key,
          priority: candidate.priority,
          requestBytes: candidate.request,
          usageBytes: candidate.usage,
          change: changes.get(key),
          distanceBytes: distances[index],
          eviction: eviction === undefined ? undefined : { ...eviction, order: index + 1 },
          candidate,
        },
      ];
    }),
  };
}

/** The pods as the service ranks them, for nodes of which too little is known to play anything. */
export function asRanked(detail: NodeDetail): readonly PlayedPod[] {
  return detail.pods.map((pod) => ({
    pod,
    key: keyOf(pod),
    rank: pod.rank ?? undefined,
    tied: pod.tied,
    group: pod.group ?? undefined,
    decidedBy: pod.decidedBy ?? undefined,
    priority: pod.priority,
    requestBytes: pod.requestBytes ?? undefined,
    usageBytes: pod.usageBytes ?? undefined,
    change: undefined,
    distanceBytes: pod.distanceBytes ?? undefined,
    eviction: undefined,
    candidate: undefined,
  }));
}

export function keyOf({ namespace, pod }: { readonly namespace: string; readonly pod: string }): string {
  return `${namespace}/${pod}`;
}

function peakIfHigher({ usageNowBytes, usagePeakBytes }: NodePod): number | undefined {
  if (usagePeakBytes === null) return undefined;
  return usagePeakBytes > (usageNowBytes ?? Number.NEGATIVE_INFINITY) ? usagePeakBytes : undefined;
}

function nodeOf(detail: NodeDetail): ScenarioNode {
  return {
    node: { name: detail.node, capacityBytes: detail.capacityBytes ?? undefined },
    complete: detail.complete,
    availableBytes: detail.availableBytes ?? undefined,
    thresholdBytes: detail.thresholdBytes ?? undefined,
    pods: detail.pods.map((pod) => ({
      pod: {
        namespace: pod.namespace,
        name: pod.pod,
        phase: pod.phase,
        priority: pod.priority,
        isStatic: pod.isStatic,
        usageBytes: pod.usageNowBytes ?? undefined,
        requestBytes: pod.requestBytes ?? undefined,
      },
    })),
  };
}
