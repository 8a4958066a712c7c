import { wholeValue } from '../foundation/quantity.ts';
import type { EvictionCandidate } from '../kubelet/candidate.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import { evictionDistances } from '../kubelet/distance.ts';
import { memoryPolicy } from '../kubelet/policies.ts';
import { type RankedCandidate, rankCandidates } from '../kubelet/rank.ts';
import { type ThresholdValue, thresholdQuantity } from '../kubelet/threshold.ts';
import type { Node } from '../model/node.ts';
import type { Pod } from '../model/pod.ts';
import type { PodPeak } from '../window/peak-window.ts';
import { countPods } from './pod-counts.ts';
import { countQosInversions } from './qos-inversions.ts';
import type { PodOnBasis, RankedNode, RankedPod } from './snapshot.ts';

interface PodCandidate extends EvictionCandidate {
  readonly pod: Pod;
  /** Place of the pod in the list that was ranked. */
  readonly index: number;
}

/**
 * Ranks the pods of one node on both bases.
 * @param peaks of its pods, in their order.
 * A node whose usage or requests are not known is returned incomplete and without any rank.
 */
export function rankNode(
  node: Node,
  peaks: readonly (PodPeak | undefined)[],
  threshold: ThresholdValue,
): RankedNode {
  const { pods, ...facts } = node;
  const availableBytes = subtract(node.capacityBytes, node.workingSetBytes);
  // A percentage is of (available + working set), which is the capacity (pkg/kubelet/eviction/helpers.go, thresholdsMet).
  const hardBytes =
    node.capacityBytes === undefined
      ? undefined
      : Number(wholeValue(thresholdQuantity(threshold, node.capacityBytes)));
  const headroomBytes = subtract(availableBytes, hardBytes);
  const complete =
    node.hasUsageData &&
    node.podsWithLostSamples === 0 &&
    pods.every((pod) => pod.requestBytes !== undefined);

  const ranked = complete
    ? rankOnBothBases(pods, peaks, headroomBytes)
    : pods.map((pod, i) => unrankedPod(pod, peaks[i]));
  return {
    node: facts,
    complete,
    availableBytes,
    thresholdBytes: hardBytes,
    headroomBytes,
    requestsBytes: pods.every((pod) => pod.requestBytes !== undefined)
      ? sumKnown(pods.map((pod) => pod.requestBytes))
      : undefined,
    peakBytes: sumKnown(peaks.map((peak) => peak?.peakBytes)),
    qosOrderInversions: complete ? countQosInversions(ranked) : undefined,
    podCounts: countPods(ranked),
    pods: ranked,
  };
}

function rankOnBothBases(
  pods: readonly Pod[],
  peaks: readonly (PodPeak | undefined)[],
  headroomBytes: number | undefined,
): RankedPod[] {
  const now = rankCandidates(
    pods.map((pod, i) => candidateOf(pod, i, pod.usageBytes)),
    memoryPolicy,
  );
  const peakPlaces: RankedCandidate<PodCandidate>[] = [];
  for (const place of rankCandidates(
    pods.map((pod, i) => candidateOf(pod, i, maxKnown(peaks[i]?.peakBytes, pod.usageBytes))),
    memoryPolicy,
  )) {
    peakPlaces[place.candidate.index] = place;
  }
  const distances = evictionDistances(now.map(withReclaim), headroomBytes);
  return now.map((place, i) => {
    const { pod, index } = place.candidate;
    return {
      pod,
      now: onBasis(place),
      peak: onBasis(peakPlaces[index] ?? place),
      distanceBytes: distances[i],
      timeOverRequestRatio: peaks[index]?.timeOverRequestRatio,
    };
  });
}

function candidateOf(pod: Pod, index: number, usage: number | undefined): PodCandidate {
  return {
    pod,
    index,
    namespace: pod.namespace,
    name: pod.name,
    priority: pod.priority,
    usage,
    // Ranking starts only once every request of the node is known.
    request: pod.requestBytes ?? 0,
    isProtected: isCriticalPod({ isStatic: pod.isStatic, priority: pod.priority }),
  };
}

/**
 * What the eviction of a pod gives back. Of a running pod without stats nobody knows; a Pending one has not started,
 * and taking its nothing for unknown would blank every distance on the node whenever a pod starts there.
 */
function withReclaim(place: RankedCandidate<PodCandidate>): RankedCandidate<PodCandidate> {
  const { candidate } = place;
  if (candidate.usage !== undefined || candidate.pod.phase === 'Running') return place;
  return { ...place, candidate: { ...candidate, usage: 0 } };
}

function onBasis({ candidate, standing }: RankedCandidate<PodCandidate>): PodOnBasis {
  return placeWithUsage(standing, candidate.usage, candidate.pod.requestBytes);
}

const unranked = { group: undefined, rank: undefined, tied: false, decidedBy: undefined };

function unrankedPod(pod: Pod, peak: PodPeak | undefined): RankedPod {
  return {
    pod,
    now: placeWithUsage(unranked, pod.usageBytes, pod.requestBytes),
    peak: placeWithUsage(unranked, peak?.peakBytes, pod.requestBytes),
    distanceBytes: undefined,
    timeOverRequestRatio: peak?.timeOverRequestRatio,
  };
}

/** Spelled out field by field: it runs 300,000 times a refresh on the largest clusters. */
function placeWithUsage(
  { group, rank, tied, decidedBy }: Pick<PodOnBasis, 'group' | 'rank' | 'tied' | 'decidedBy'>,
  usageBytes: number | undefined,
  requestBytes: number | undefined,
): PodOnBasis {
  return {
    group,
    rank,
    tied,
    decidedBy,
    usageBytes,
    overRequestBytes: subtract(usageBytes, requestBytes),
    usageRequestRatio: divide(usageBytes, requestBytes),
  };
}

/** Undefined too where the divisor is so small that nothing finite is left: 0, or a billionth of a billionth of a byte. */
function divide(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const ratio = a / b;
  return Number.isFinite(ratio) ? ratio : undefined;
}

function subtract(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

function maxKnown(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.max(a, b);
}

/** Sum of what is known; undefined where nothing is. An empty list sums to 0. */
function sumKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 && values.length > 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
