import type { EvictionCandidate } from './candidate.ts';
import type { Policy } from './policies.ts';
import { type RankedCandidate, rankCandidates } from './rank.ts';

export interface EvictionRunInput<T extends EvictionCandidate> {
  readonly candidates: readonly T[];
  readonly policy: Policy;
  /** capacity − all usage, before any eviction; may be negative for a load that would not fit. */
  readonly availableBytes: number;
  readonly thresholdBytes: number;
  /** Once the threshold is met, eviction goes on until this much more than the threshold is available. */
  readonly minimumReclaimBytes?: number | undefined;
}

export interface Eviction<T extends EvictionCandidate> extends RankedCandidate<T> {
  readonly availableBeforeBytes: number;
  readonly availableAfterBytes: number;
}

export interface EvictionRun<T extends EvictionCandidate> {
  readonly evictions: readonly Eviction<T>[];
  /** In eviction order, protected pods last. */
  readonly survivors: readonly RankedCandidate<T>[];
  /** What is available after the last eviction. */
  readonly availableBytes: number;
  /** True where every evictable pod is gone and the node still has too little. */
  readonly underPressure: boolean;
  /** Memory runs out before the first eviction: the kernel's OOM killer may act first. */
  readonly oomLikely: boolean;
  /** A pod without stats was evicted; it is taken to give back nothing, so at least this much is available and at most these pods go. */
  readonly isWorstCase: boolean;
}

/**
 * Plays the kubelet's passes until the threshold is no longer met: each takes the one pod that ranks first among
 * those left (`synchronize` in pkg/kubelet/eviction/eviction_manager.go), and what the pod used comes back.
 * Usage is taken to stay as it is; for passes in time, grace periods and several signals see synchronize.ts.
 */
export function simulateEvictions<T extends EvictionCandidate>(input: EvictionRunInput<T>): EvictionRun<T> {
  const { thresholdBytes, minimumReclaimBytes = 0 } = input;
  const evictions: Eviction<T>[] = [];
  const survivors: RankedCandidate<T>[] = [];
  let availableBytes = input.availableBytes;
  let underPressure = availableBytes < thresholdBytes;
  for (const ranked of rankCandidates(input.candidates, input.policy)) {
    if (!underPressure || ranked.candidate.isProtected) {
      survivors.push(ranked);
      continue;
    }
    const availableBeforeBytes = availableBytes;
    availableBytes += ranked.candidate.usage ?? 0;
    evictions.push({ ...ranked, availableBeforeBytes, availableAfterBytes: availableBytes });
    underPressure = availableBytes < thresholdBytes + minimumReclaimBytes;
  }
  return {
    evictions,
    survivors,
    availableBytes,
    underPressure,
    oomLikely: input.availableBytes < 0,
    isWorstCase: evictions.some(({ candidate }) => candidate.usage === undefined),
  };
}
