import { addQuantities, compareQuantities, type Quantity, quantityOfBytes } from '../foundation/quantity.ts';
import type { Amount } from './amount.ts';
import type { Signal } from './signals.ts';

/** A quantity, or a share of the capacity: a float32, as the kubelet keeps it, so 10 % is 0.10000000149011612. */
export type ThresholdValue = { readonly quantity: Quantity } | { readonly percentage: number };

export interface Threshold {
  readonly signal: Signal;
  /** '' is never met (see signals.ts). */
  readonly operator: 'LessThan' | '';
  readonly value: ThresholdValue;
  /** 0 = hard, even where it was configured as a soft threshold. */
  readonly gracePeriodMs: number;
  readonly minimumReclaim: ThresholdValue | undefined;
}

/** What is known of a signal at one moment. */
export interface SignalObservation {
  readonly available: Amount;
  /** For memory: available + working set. */
  readonly capacity: Amount;
}

export type SignalObservations = ReadonlyMap<Signal, SignalObservation>;

export function isHardThreshold({ gracePeriodMs }: Threshold): boolean {
  return gracePeriodMs === 0;
}

/** The least that must be available (`GetThresholdQuantity` in pkg/kubelet/eviction/api/types.go). */
export function thresholdQuantity(value: ThresholdValue, capacity: Amount): Quantity {
  if ('quantity' in value) return value.quantity;
  const share = Math.trunc(Number(capacity) * value.percentage);
  // `NaN%` and `Inf%` pass the kubelet's checks; what is no int64 becomes the least one on amd64: never met.
  return quantityOfBytes(Math.abs(share) < 2 ** 63 ? share : -(2n ** 63n));
}

/** More than an int64 holds, or a share that Kubernetes 1.20 would refuse of a threshold. */
const LARGEST = { quantity: quantityOfBytes(2 ** 63), percentage: 100 } as const;

/**
 * False for what the kubelet accepts, but nobody can mean: NaN, infinite, or more than an int64 holds. Figures made of
 * it would be no figures.
 */
export function isPlausibleThreshold(value: ThresholdValue): boolean {
  return 'quantity' in value
    ? compareQuantities(value.quantity, LARGEST.quantity) <= 0
    : Math.abs(value.percentage) <= LARGEST.percentage;
}

/**
 * Met when strictly less is available (`thresholdsMet` in pkg/kubelet/eviction/helpers.go). `enforceMinimumReclaim`
 * is for a threshold that was met before: it holds on until the minimum reclaim is available on top.
 */
export function isThresholdMet(
  { operator, value, minimumReclaim }: Threshold,
  { available, capacity }: SignalObservation,
  enforceMinimumReclaim: boolean,
): boolean {
  if (operator !== 'LessThan') return false;
  let needed = thresholdQuantity(value, capacity);
  if (enforceMinimumReclaim && minimumReclaim !== undefined) {
    needed = addQuantities(needed, thresholdQuantity(minimumReclaim, capacity));
  }
  return compareQuantities(needed, quantityOfBytes(available)) > 0;
}

/** A threshold whose signal is not observed is not met. */
export function thresholdsMet(
  thresholds: readonly Threshold[],
  observations: SignalObservations,
  enforceMinimumReclaim: boolean,
): readonly Threshold[] {
  return thresholds.filter((threshold) => {
    const observation = observations.get(threshold.signal);
    return observation !== undefined && isThresholdMet(threshold, observation, enforceMinimumReclaim);
  });
}
