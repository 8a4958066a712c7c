import { explainOrder } from '../../explain/comparison.ts';
import { count, enumerate } from '../../explain/wording.ts';
import type { DecidedBy } from '../../kubelet/candidate.ts';
import { bytesText, signedBytes, wholeText } from '../parts/amount.tsx';
import type { Play, PlayedPod } from './play.ts';

export interface Story {
  /** What happens. */
  readonly headline: string;
  /** Why these pods, one sentence each, in the order in which they go. */
  readonly reasons: readonly string[];
  readonly isEvicting: boolean;
}

/** What the kubelet does in a scenario, in words. */
export function tellStory({ pods, played }: Play): Story {
  const { run, availableBytes, thresholdBytes } = played;
  const evicted = pods.filter(({ eviction }) => eviction !== undefined);
  const next = pods.find(({ eviction, rank }) => eviction === undefined && rank !== undefined);
  const state =
    availableBytes < 0
      ? `The node is ${bytesText(-availableBytes)} short of memory`
      : `${bytesText(availableBytes)} of memory are available`;
  if (availableBytes >= thresholdBytes) {
    return {
      headline: `${state}, ${bytesText(availableBytes - thresholdBytes)} above the threshold of ${bytesText(thresholdBytes)}: nothing is evicted.${next === undefined ? '' : ` First to go would be ${next.key}.`}`,
      reasons: next === undefined ? [] : [reasonFor(pods, next)],
      isEvicting: false,
    };
  }
  if (evicted.length === 0) {
    return {
      headline: `${state}, below the threshold of ${bytesText(thresholdBytes)}, but there is no pod that may be evicted.`,
      reasons: [],
      isEvicting: true,
    };
  }
  const end = run.underPressure
    ? `Every pod that may be evicted is gone, and still only ${bytesText(run.availableBytes)} are available.`
    : `Then ${bytesText(run.availableBytes)} are available and it stops.`;
  return {
    headline: `${state}, below the threshold of ${bytesText(thresholdBytes)}: the kubelet evicts ${count(evicted.length, 'pod')}, ${enumerate(evicted.map(({ key }) => key))}. ${end}`,
    reasons: evicted.map((pod) => reasonFor(pods, pod)),
    isEvicting: true,
  };
}

/** Why a pod goes before the one after it. */
function reasonFor(pods: readonly PlayedPod[], pod: PlayedPod): string {
  const next = nextEvictable(pods, pod);
  if (pod.candidate === undefined || next?.candidate === undefined) {
    return `${pod.key} is the last one that may be evicted.`;
  }
  if (pod.decidedBy === 'tie') {
    return `${pod.key} ties with ${next.key}: the kubelet may take either first.`;
  }
  return explainOrder(pod.candidate, next.candidate).sentence;
}

type ShortReason = (pod: PlayedPod, next: PlayedPod) => string;

const shortReasons: Readonly<Record<DecidedBy, ShortReason>> = {
  no_stats: () => 'no memory figures; the next has some',
  exceeds_request: () => 'over its request; the next is not',
  priority: (pod, next) => `lower priority: ${wholeText(pod.priority)} < ${wholeText(next.priority)}`,
  over_request: (pod, next) => `larger amount, usage − request: ${overText(pod)} > ${overText(next)}`,
  tie: () => 'tie: either may go first',
};

/** The same in a few characters, for the ladder; empty for the last one. */
export function shortReason(pods: readonly PlayedPod[], pod: PlayedPod): string {
  const next = nextEvictable(pods, pod);
  return pod.decidedBy === undefined || next === undefined ? '' : shortReasons[pod.decidedBy](pod, next);
}

function nextEvictable(pods: readonly PlayedPod[], pod: PlayedPod): PlayedPod | undefined {
  const next = pods[pods.indexOf(pod) + 1];
  return next?.rank === undefined ? undefined : next;
}

function overText({ usageBytes, requestBytes }: PlayedPod): string {
  return usageBytes === undefined || requestBytes === undefined
    ? 'unknown'
    : signedBytes(usageBytes - requestBytes);
}
