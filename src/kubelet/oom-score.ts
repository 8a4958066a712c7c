import { type Quantity, wholeValue } from '../foundation/quantity.ts';
import { compareAmounts, wrapToInt64 } from './amount.ts';
import { type CriticalityFacts, isCriticalPod, isNodeCriticalPod } from './critical.ts';
import type { KubeletRules } from './kubelet-version.ts';
import { containersRequest } from './pod-request.ts';
import { type ContainerSpec, hasPodLevelResources, type PodSpec } from './pod-spec.ts';
import { computeQosClass } from './qos.ts';

/** pkg/kubelet/qos/policy.go. The kernel adds this to a process's own score; the highest is killed first. */
const GUARANTEED_SCORE = -997;
const BEST_EFFORT_SCORE = 1000;
const LOWEST_BURSTABLE_SCORE = 1000 + GUARANTEED_SCORE;

export interface ContainerOomScore {
  readonly container: string;
  readonly isInit: boolean;
  /** undefined where the capacity is needed and is not known or 0 (the kubelet crashes on 0). */
  readonly oomScoreAdj: number | undefined;
}

/** What the score depends on besides the pod. */
export interface OomScoreNode {
  readonly memoryCapacityBytes: number | undefined;
  readonly rules: KubeletRules;
}

/**
 * `oom_score_adj` of every container: `GetContainerOOMScoreAdjust` in pkg/kubelet/qos/policy.go. Sidecars and pod-level
 * requests, which older kubelets do not know, are taken into account wherever a pod has them. Products beyond int64
 * overflow as they do there.
 */
export function oomScores(
  spec: PodSpec,
  facts: CriticalityFacts,
  node: OomScoreNode,
): readonly ContainerOomScore[] {
  const score = scoreFunction(spec, facts, node);
  const scoresOf = (containers: readonly ContainerSpec[], isInit: boolean) =>
    containers.map((container) => ({
      container: container.name,
      isInit,
      oomScoreAdj: score(container, isInit && container.isSidecar === true),
    }));
  return [...scoresOf(spec.containers, false), ...scoresOf(spec.initContainers, true)];
}

/** Whether the kernel is told to kill the pod's containers last whatever its QoS class. */
export function isSparedByOomKiller(facts: CriticalityFacts, { sparedByOomKiller }: KubeletRules): boolean {
  return sparedByOomKiller === 'critical' ? isCriticalPod(facts) : isNodeCriticalPod(facts);
}

type ScoreFunction = (container: ContainerSpec, isSidecar: boolean) => number | undefined;

function scoreFunction(
  spec: PodSpec,
  facts: CriticalityFacts,
  { memoryCapacityBytes, rules }: OomScoreNode,
): ScoreFunction {
  const qosClass = computeQosClass(spec);
  if (isSparedByOomKiller(facts, rules) || qosClass === 'Guaranteed') return () => GUARANTEED_SCORE;
  if (qosClass === 'BestEffort') return () => BEST_EFFORT_SCORE;
  if (memoryCapacityBytes === undefined || memoryCapacityBytes <= 0) return () => undefined;
  const capacity = BigInt(Math.trunc(memoryCapacityBytes));
  const share = podLevelShare(spec);
  const rawScore = (request: bigint) => 1000n - wrapToInt64(1000n * (request + share)) / capacity;
  const lowestMainScore = rawScore(smallestMainRequest(spec));
  return (container, isSidecar) => {
    const own = rawScore(memoryRequest(container));
    return clampBurstable(isSidecar && lowestMainScore < own ? lowestMainScore : own);
  };
}

/** Above every Guaranteed container, below every BestEffort one. */
function clampBurstable(score: bigint): number {
  if (score < LOWEST_BURSTABLE_SCORE) return LOWEST_BURSTABLE_SCORE;
  return score === BigInt(BEST_EFFORT_SCORE) ? BEST_EFFORT_SCORE - 1 : Number(score);
}

/** What the pod requests beyond its containers, split evenly among them all (`remainingPodMemReqPerContainer`). */
function podLevelShare(spec: PodSpec): bigint {
  const podLevel = spec.resources?.requests?.memory;
  if (!hasPodLevelResources(spec) || podLevel === undefined || podLevel.nanos === 0n) return 0n;
  const containers = BigInt(spec.containers.length + spec.initContainers.length);
  if (containers === 0n) return 0n;
  return (wholeValue(podLevel) - wholeValue(containersRequest(spec, 'memory'))) / containers;
}

/** A sidecar must not be killed before the containers it serves (`minRegularContainerMemory`). */
function smallestMainRequest({ containers }: PodSpec): bigint {
  return containers.map(memoryRequest).toSorted(compareAmounts)[0] ?? 0n;
}

function memoryRequest({ requests }: ContainerSpec): bigint {
  const request: Quantity | undefined = requests?.memory;
  return request === undefined ? 0n : wholeValue(request);
}
