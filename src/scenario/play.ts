import { wholeValue } from '../foundation/quantity.ts';
import type { EvictionCandidate } from '../kubelet/candidate.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import { type EvictionRun, simulateEvictions } from '../kubelet/eviction-run.ts';
import { memoryPolicy } from '../kubelet/policies.ts';
import { type ThresholdValue, thresholdQuantity } from '../kubelet/threshold.ts';
import type { Pod } from '../model/pod.ts';
import { type PodChange, type Scenario, ScenarioError } from './scenario.ts';

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
 * Plays the kubelet's evictions for memory on one node, with everything that leads to the answer. Pure.
 * @throws ScenarioError for pods that are not there, and where too little is known of the node.
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
