/** What would change a pod's place, each computed by ranking its node again. */
import { SYSTEM_CRITICAL_PRIORITY } from '../kubelet/critical.ts';
import type { Basis, RankedNode, RankedPod, Snapshot } from '../snapshot/snapshot.ts';
import { isRanked, type Place, type PodChange, placeAfter } from './ranking.ts';
import { count, ordinal, requestText, size, windowName } from './wording.ts';

export interface Counterfactual {
  readonly kind: 'request_covers_now' | 'request_covers_peak' | 'priority' | 'own_peak';
  /** What is changed about this pod; all others stay as they are. */
  readonly change: PodChange;
  /** For a priority: the class that has it; undefined where pods have it without a class. */
  readonly priorityClass: string | undefined;
  /** Where the pod then stands. */
  readonly now: Place;
  readonly peak: Place;
  /** For a request: whether the node could still take all requests; undefined where that is not known. */
  readonly fitsOnNode: boolean | undefined;
  readonly sentence: string;
}

/** Empty where the node is not ranked. A protected pod gets only priorities that would make it evictable. */
export function findCounterfactuals(
  ranked: RankedPod,
  node: RankedNode,
  snapshot: Pick<Snapshot, 'priorities' | 'problems' | 'windowSeconds'>,
): readonly Counterfactual[] {
  if (!isRanked(node)) return [];
  const window = windowName(snapshot.windowSeconds);
  return [
    coverUsage(ranked, node, { basis: 'now', kind: 'request_covers_now', uses: 'what it uses now' }),
    coverUsage(ranked, node, {
      basis: 'peak',
      kind: 'request_covers_peak',
      uses: `its ${window} peak`,
    }),
    ownPeak(ranked, node, window),
    ...priorities(ranked, node, snapshot),
  ].filter((found) => found !== undefined);
}

/** A pod whose request equals its usage no longer exceeds it: the comparison is strict. */
function coverUsage(
  ranked: RankedPod,
  node: RankedNode,
  { basis, kind, uses }: { basis: Basis; kind: 'request_covers_now' | 'request_covers_peak'; uses: string },
): Counterfactual | undefined {
  const { group, usageBytes } = ranked[basis];
  if (group !== 'exceeds_request' || usageBytes === undefined) return undefined;
  const change = { requestBytes: Math.ceil(usageBytes) };
  const places = placesAfter(ranked, node, change);
  const fitsOnNode = fits(ranked, node, change.requestBytes);
  const where =
    basis === 'now'
      ? `it would be ${placeText(places.now)}`
      : `with every pod at its peak it would be ${placeText(places.peak)}, as things are now ${placeText(places.now)}`;
  const room =
    fitsOnNode === false ? ' The node cannot reserve that much more, so the pod may not fit there.' : '';
  return {
    kind,
    change,
    priorityClass: undefined,
    ...places,
    fitsOnNode,
    sentence: `A memory request of ${requestText(change.requestBytes)} would cover ${uses}: ${where}, or later with a larger one.${room}`,
  };
}

function ownPeak(ranked: RankedPod, node: RankedNode, window: string): Counterfactual | undefined {
  const { usageBytes: nowBytes, group } = ranked.now;
  const { usageBytes } = ranked.peak;
  if (group === 'protected' || nowBytes === undefined || usageBytes === undefined || usageBytes <= nowBytes) {
    return undefined;
  }
  const places = placesAfter(ranked, node, { usageBytes });
  return {
    kind: 'own_peak',
    change: { usageBytes },
    priorityClass: undefined,
    ...places,
    fitsOnNode: undefined,
    sentence: `If it alone rose to its ${window} peak of ${size(usageBytes)}, it would be ${placeText(places.now)}.`,
  };
}

function priorities(
  ranked: RankedPod,
  node: RankedNode,
  snapshot: Pick<Snapshot, 'priorities' | 'problems'>,
): readonly Counterfactual[] {
  const { pod } = ranked;
  // A static pod is never evicted, whatever its priority.
  if (pod.isStatic) return [];
  // A class whose value is not known counts as 0 until then, and nothing can be said of what it would do.
  const unmapped = new Set(
    snapshot.problems.filter(({ kind }) => kind === 'priority_class_unmapped').map(({ subject }) => subject),
  );
  return snapshot.priorities
    .filter(({ priorityClass }) => priorityClass === undefined || !unmapped.has(priorityClass))
    .filter(
      ({ priority }) =>
        priority !== pod.priority &&
        !(priority >= SYSTEM_CRITICAL_PRIORITY && pod.priority >= SYSTEM_CRITICAL_PRIORITY),
    )
    .map(({ priority, priorityClass }) => {
      const places = placesAfter(ranked, node, { priority });
      const named =
        priorityClass === undefined
          ? `priority ${priority}`
          : `priority class ${priorityClass} (${priority})`;
      return {
        kind: 'priority' as const,
        change: { priority },
        priorityClass,
        ...places,
        fitsOnNode: undefined,
        sentence: `With ${named} ${wouldBe(places.now)}.`,
      };
    });
}

function placesAfter(ranked: RankedPod, node: RankedNode, change: PodChange) {
  const changed = { pod: ranked, change };
  return { now: placeAfter(node, 'now', changed), peak: placeAfter(node, 'peak', changed) };
}

function wouldBe(place: Place): string {
  return place.rank === undefined ? 'it would never be evicted' : `it would be ${placeText(place)}`;
}

/** `5th of 23`, `never evicted`. */
export function placeText({ rank, rankedPods, tied }: Place): string {
  if (rank === undefined) return 'never evicted';
  if (rankedPods === 1) return `the only one of ${count(rankedPods, 'pod')} to go`;
  return `${ordinal(rank)} of ${rankedPods}${tied ? ' (shared)' : ''}`;
}

function fits({ pod }: RankedPod, node: RankedNode, requestBytes: number): boolean | undefined {
  const { requestsBytes } = node;
  const { allocatableBytes } = node.node;
  if (requestsBytes === undefined || allocatableBytes === undefined || pod.requestBytes === undefined) {
    return undefined;
  }
  return requestsBytes - pod.requestBytes + requestBytes <= allocatableBytes;
}
