import type { EvictionCandidate } from './candidate.ts';
import type { RankedCandidate } from './rank.ts';

/**
 * How much more memory the node must lose before the kubelet takes each pod, in bytes, in the order of `ranked`
 * (the answer of `rankCandidates` for one node's memory).
 *
 * It is the headroom (available − threshold, negative once the threshold is met) + the usage of the evictable pods
 * of a lower rank, never below 0. Pods that share a rank have the same distance, for any of them may be the next.
 * undefined where it is not known: for protected pods, without headroom, and behind a pod without stats, for nobody
 * knows what the eviction of that pod would give back.
 */
export function evictionDistances(
  ranked: readonly RankedCandidate<EvictionCandidate>[],
  headroomBytes: number | undefined,
): readonly (number | undefined)[] {
  /** Headroom once every pod of a lower rank is gone. */
  let reachBytes = headroomBytes;
  /** What the pods of the present rank would give back: counts from the next rank on. */
  let rankBytes: number | undefined = 0;
  let rank: number | undefined;
  return ranked.map(({ candidate, standing }) => {
    if (standing.rank === undefined) return undefined;
    if (standing.rank !== rank) {
      reachBytes = addKnown(reachBytes, rankBytes);
      rankBytes = 0;
      rank = standing.rank;
    }
    rankBytes = addKnown(rankBytes, candidate.usage);
    return reachBytes === undefined ? undefined : Math.max(0, reachBytes);
  });
}

function addKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
