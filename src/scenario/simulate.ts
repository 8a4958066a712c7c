import { formatBytes } from '../foundation/byte-text.ts';
import type { ComparatorGroup, DecidedBy, EvictionCandidate } from '../kubelet/candidate.ts';
import type { EvictionRun } from '../kubelet/eviction-run.ts';
import type { RankedCandidate } from '../kubelet/rank.ts';
import { type ChangedCandidate, playScenario, type ScenarioNode } from './play.ts';
import type { Scenario } from './scenario.ts';

export interface SimulatedPod {
  readonly namespace: string;
  readonly pod: string;
  readonly group: ComparatorGroup;
  /** What put it before the next pod; null for the last evictable pod and for protected ones. */
  readonly decidedBy: DecidedBy | null;
}

export interface SimulatedEviction extends SimulatedPod {
  readonly availableBeforeBytes: number;
  readonly availableAfterBytes: number;
}

/** The answer of the API, of `evictrank simulate` and of the page. */
export interface Simulation {
  readonly evictions: readonly SimulatedEviction[];
  /** In eviction order, protected pods last. */
  readonly survivors: readonly SimulatedPod[];
  /** Available once the last eviction is done. */
  readonly availableBytes: number;
  readonly thresholdBytes: number;
  /** Every evictable pod is gone and there is still too little. */
  readonly underPressure: boolean;
  /** Memory runs out altogether, so the kernel may kill processes before the kubelet evicts. */
  readonly oomLikely: boolean;
  /** What a reader should know about this answer, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Plays the kubelet's evictions for memory on one node as it would be in the scenario. Pure; runs in a browser too.
 * @throws ScenarioError for pods that are not there, and where too little is known of the node.
 */
export function simulateScenario(node: ScenarioNode, scenario: Scenario): Simulation {
  const { run, availableBytes, thresholdBytes } = playScenario(node, scenario);
  return {
    evictions: run.evictions.map((eviction) => ({
      ...simulatedPod(eviction),
      availableBeforeBytes: eviction.availableBeforeBytes,
      availableAfterBytes: eviction.availableAfterBytes,
    })),
    survivors: run.survivors.map(simulatedPod),
    availableBytes: run.availableBytes,
    thresholdBytes,
    underPressure: run.underPressure,
    oomLikely: run.oomLikely,
    notes: notesOn(run, availableBytes),
  };
}

function simulatedPod({ candidate, standing }: RankedCandidate<EvictionCandidate>): SimulatedPod {
  return {
    namespace: candidate.namespace,
    pod: candidate.name,
    group: standing.group,
    decidedBy: standing.decidedBy ?? null,
  };
}

/** What a reader should know, one sentence each. @param availableBytes before the first eviction */
export function notesOn(run: EvictionRun<ChangedCandidate>, availableBytes: number): string[] {
  const notes: string[] = [];
  if (run.oomLikely) {
    notes.push(
      `The node would be ${formatBytes(-availableBytes)} short of memory, so the kernel's OOM killer may act before the kubelet evicts; it chooses by oom_score_adj and usage, not in this order.`,
    );
  }
  // A Pending pod has not started and gives nothing back; of a running one without stats nobody knows.
  const unknown = run.evictions.filter(
    ({ candidate }) => candidate.usage === undefined && candidate.isRunning,
  );
  if (unknown.length > 0) {
    notes.push(
      `${unknown.length} evicted ${unknown.length === 1 ? 'pod has' : 'pods have'} no known usage and ${unknown.length === 1 ? 'is' : 'are'} taken to give back nothing, so fewer pods may have to go.`,
    );
  }
  if (run.underPressure) {
    notes.push(
      'Every evictable pod is gone and the node is still under pressure: its protected pods and system daemons use too much.',
    );
  }
  return notes;
}
