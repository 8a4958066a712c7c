/**
 * One pass of the kubelet's eviction manager (`synchronize` in pkg/kubelet/eviction/eviction_manager.go) as a pure
 * function of what it remembers, the time and what it observes.
 */
import type { ManagerConfig } from './manager-config.ts';
import {
  type EvictionScene,
  evictOne,
  evictOverLimit,
  type Observations,
  type PassEviction,
  type TimedObservation,
} from './pass-eviction.ts';
import { type NodeCondition, SIGNALS, type StarvedResource } from './signals.ts';
import { isHardThreshold, type Threshold, thresholdsMet } from './threshold.ts';

/** What the manager remembers from pass to pass. */
export interface ManagerState {
  readonly firstObservedAtMs: ReadonlyMap<Threshold, number>;
  /** Met, grace period included, and not yet resolved. */
  readonly thresholdsMet: readonly Threshold[];
  readonly conditionsObservedAtMs: ReadonlyMap<NodeCondition, number>;
  readonly lastObservations: Observations;
}

export const INITIAL_STATE: ManagerState = {
  firstObservedAtMs: new Map(),
  thresholdsMet: [],
  conditionsObservedAtMs: new Map(),
  lastObservations: new Map(),
};

export interface Pass extends EvictionScene {
  readonly state: ManagerState;
  readonly nowMs: number;
}

export interface PassOutcome {
  readonly state: ManagerState;
  /** What the manager tries to reclaim by evicting; undefined where it does not try. */
  readonly reclaiming: StarvedResource | undefined;
  /** One at most for node pressure; several where limits of their own were passed. A kill that fails counts too. */
  readonly evictions: readonly PassEviction[];
  readonly conditions: readonly NodeCondition[];
}

/**
 * What a pass decides. Images and dead containers, which the kubelet removes before it evicts for disk, are taken to
 * be gone already.
 */
export function synchronize(pass: Pass): PassOutcome {
  const { config, nowMs, observations } = pass;
  const state = observe(pass);
  const outcome = { state, conditions: heldConditions(state, config, nowMs) };
  const limitEvictions = evictOverLimit(pass);
  if (limitEvictions.length > 0) return { ...outcome, reclaiming: undefined, evictions: limitEvictions };

  const fresh = state.thresholdsMet.filter(({ signal }) =>
    isFresh(observations.get(signal), pass.state.lastObservations.get(signal)),
  );
  const threshold = mostUrgent(fresh);
  if (threshold === undefined) return { ...outcome, reclaiming: undefined, evictions: [] };
  const eviction = evictOne(pass, threshold, fresh);
  return {
    ...outcome,
    reclaiming: SIGNALS[threshold.signal].resource,
    evictions: eviction === undefined ? [] : [eviction],
  };
}

function observe({ config, state, nowMs, observations }: Pass): ManagerState {
  const met = new Set([
    ...thresholdsMet(config.thresholds, observations, false),
    ...thresholdsMet(state.thresholdsMet, observations, true),
  ]);
  const firstObservedAtMs = new Map(
    [...met].map((threshold) => [threshold, state.firstObservedAtMs.get(threshold) ?? nowMs]),
  );
  const conditionsObservedAtMs = new Map(state.conditionsObservedAtMs);
  for (const { signal } of met) conditionsObservedAtMs.set(SIGNALS[signal].condition, nowMs);
  return {
    firstObservedAtMs,
    thresholdsMet: [...firstObservedAtMs]
      .filter(([{ gracePeriodMs }, atMs]) => nowMs - atMs >= gracePeriodMs)
      .map(([threshold]) => threshold),
    conditionsObservedAtMs,
    lastObservations: observations,
  };
}

/** A condition stays for the transition period after it was last observed, so that it does not flap. */
function heldConditions(
  { conditionsObservedAtMs }: ManagerState,
  { pressureTransitionPeriodMs }: ManagerConfig,
  nowMs: number,
): readonly NodeCondition[] {
  return [...conditionsObservedAtMs]
    .filter(([, atMs]) => nowMs - atMs < pressureTransitionPeriodMs)
    .map(([condition]) => condition);
}

/** Statistics no newer than those of the last pass evict nothing: the last eviction may not show in them yet. */
function isFresh(observed: TimedObservation | undefined, last: TimedObservation | undefined): boolean {
  if (observed === undefined) return false;
  return (
    last?.takenAtMs === undefined || observed.takenAtMs === undefined || observed.takenAtMs > last.takenAtMs
  );
}

/**
 * Memory goes before every other signal (`byEvictionPriority`). Beyond that the kubelet takes what a Go map hands it
 * first; here a hard threshold goes before a soft one, then the order of the configuration.
 */
function mostUrgent(thresholds: readonly Threshold[]): Threshold | undefined {
  const urgency = (threshold: Threshold) =>
    Number(SIGNALS[threshold.signal].resource === 'memory') * 2 + Number(isHardThreshold(threshold));
  return thresholds.toSorted((a, b) => urgency(b) - urgency(a))[0];
}
