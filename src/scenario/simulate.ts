import { formatBytes } from '../foundation/byte-text.ts';
import { wholeValue } from '../foundation/quantity.ts';
import type { ComparatorGroup, DecidedBy, EvictionCandidate } from '../kubelet/candidate.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import { type EvictionRun, simulateEvictions } from '../kubelet/eviction-run.ts';
import { memoryPolicy } from '../kubelet/policies.ts';
import type { RankedCandidate } from '../kubelet/rank.ts';
import { type ThresholdValue, thresholdQuantity } from '../kubelet/threshold.ts';
import type { Pod } from '../model/pod.ts';
import { type PodChange, type Scenario, ScenarioError } from './scenario.ts';

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

/** A pod as a scenario needs it. */
export type ScenarioPod = Pick<
  Pod,
  'namespace' | 'name' | 'phase' | 'priority' | 'isStatic' | 'usageBytes' | 'requestBytes'
>;

/** What a scenario needs to know of a node: less than a snapshot does, so that the page can tell it from an answer. */
export interface ScenarioNode {
  readonly node: { readonly name: string; readonly capacityBytes: number | undefined };
  readonly complete: boolean;
  readonly availableBytes: number | undefined;
  readonly thresholdBytes: number | undefined;
  readonly pods: readonly { readonly pod: ScenarioPod }[];
}

/** A scenario as it is played out: the pods as it changes them, and the kubelet's evictions of them. */
export interface PlayedScenario {
  readonly run: EvictionRun<ChangedCandidate>;
  /** Before the first eviction. */
  readonly availableBytes: number;
  readonly thresholdBytes: number;
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

/**
 * The same with everything that leads to the answer, for those who show it pod by pod.
 * @throws ScenarioError like `simulateScenario`
 */
export function playScenario(node: ScenarioNode, scenario: Scenario): PlayedScenario {
  const { capacityBytes, availableBytes: measuredBytes } = knownMemory(node);
  const bytesOf = (value: ThresholdValue): number =>
    Number(wholeValue(thresholdQuantity(value, capacityBytes)));
  const threshold = scenario.threshold === undefined ? node.thresholdBytes : bytesOf(scenario.threshold);
  if (threshold === undefined) throw unknownMemory(node);
  const changes = changesByPod(node, scenario.pods ?? []);
  const candidates = node.pods.map(({ pod }) => changedCandidate(pod, changes.get(nameOf(pod))));
  const availableBytes =
    measuredBytes -
    (scenario.extraNodeUsageBytes ?? 0) -
    candidates.reduce((sum, { addedBytes }) => sum + addedBytes, 0);
  const run = simulateEvictions({
    candidates,
    policy: memoryPolicy,
    availableBytes,
    thresholdBytes: threshold,
    minimumReclaimBytes: scenario.minimumReclaim === undefined ? 0 : bytesOf(scenario.minimumReclaim),
  });
  return { run, availableBytes, thresholdBytes: threshold };
}

/** A pod as the scenario has it. */
export interface ChangedCandidate extends EvictionCandidate {
  readonly isRunning: boolean;
  /** Memory the node has in use on account of the change. */
  readonly addedBytes: number;
}

function changedCandidate(pod: ScenarioPod, change: PodChange | undefined): ChangedCandidate {
  const priority = change?.priority ?? pod.priority;
  const usage = change?.usageBytes ?? pod.usageBytes;
  return {
    namespace: pod.namespace,
    name: pod.name,
    priority,
    usage,
    // A complete node knows every request.
    request: change?.requestBytes ?? pod.requestBytes ?? 0,
    isProtected: isCriticalPod({ isStatic: pod.isStatic, priority }),
    isRunning: pod.phase === 'Running',
    addedBytes: change?.usageBytes === undefined ? 0 : change.usageBytes - (pod.usageBytes ?? 0),
  };
}

function changesByPod(node: ScenarioNode, changes: readonly PodChange[]): ReadonlyMap<string, PodChange> {
  const names = new Set(node.pods.map(({ pod }) => nameOf(pod)));
  const byPod = new Map<string, PodChange>();
  for (const change of changes) {
    const name = `${change.namespace}/${change.pod}`;
    if (!names.has(name)) {
      throw new ScenarioError('unknown_pod', `there is no pod ${name} on node ${node.node.name}`);
    }
    if (byPod.has(name)) throw new ScenarioError('repeated_pod', `pod ${name} is given twice`);
    byPod.set(name, change);
  }
  return byPod;
}

function nameOf(pod: ScenarioPod): string {
  return `${pod.namespace}/${pod.name}`;
}

function knownMemory(node: ScenarioNode): { capacityBytes: number; availableBytes: number } {
  if (!node.complete) {
    throw new ScenarioError(
      'node_incomplete',
      `node ${node.node.name} cannot be simulated: usage or requests of its pods are not known`,
    );
  }
  const { availableBytes } = node;
  const { capacityBytes } = node.node;
  if (availableBytes === undefined || capacityBytes === undefined) throw unknownMemory(node);
  return { capacityBytes, availableBytes };
}

function unknownMemory(node: ScenarioNode): ScenarioError {
  return new ScenarioError(
    'node_incomplete',
    `node ${node.node.name} cannot be simulated: its available memory is not known`,
  );
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
