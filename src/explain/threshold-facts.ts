/** The eviction thresholds of a KubeletConfiguration as plain data, in bytes where the size of the node is known. */
import { addQuantities, formatQuantity, type Quantity, wholeValue } from '../foundation/quantity.ts';
import type { Amount } from '../kubelet/amount.ts';
import type { KubeletEvictionConfig } from '../kubelet/kubelet-config.ts';
import type { Signal } from '../kubelet/signals.ts';
import { isHardThreshold, type ThresholdValue, thresholdQuantity } from '../kubelet/threshold.ts';

/** As it was set: one of the two is null. A fraction that is no number, from `NaN%` or `Inf%`, is null as well. */
export interface ThresholdAmount {
  /** As Kubernetes writes it: `100Mi`. */
  readonly quantity: string | null;
  /** Of the capacity, as the float32 the kubelet computes with: 0.10000000149011612 for `10%`. */
  readonly fraction: number | null;
  /** In units of the signal (bytes, inodes, processes), rounded up; null where the capacity is needed and not known. */
  readonly units: Amount | null;
}

export interface ThresholdFacts {
  readonly signal: Signal;
  readonly kind: 'hard' | 'soft';
  /** False: the kubelet accepts it and never acts on it. */
  readonly isWatched: boolean;
  readonly threshold: ThresholdAmount;
  readonly gracePeriodSeconds: number;
  readonly minimumReclaim: ThresholdAmount | null;
  /** Units that must be available for eviction to stop once it has begun; null where that is not known. */
  readonly stopsAtUnits: Amount | null;
}

/** @param capacities in units, by signal: what percentages are of. */
export function thresholdFacts(
  { thresholds }: Pick<KubeletEvictionConfig, 'thresholds'>,
  capacities: ReadonlyMap<Signal, Amount>,
): readonly ThresholdFacts[] {
  return thresholds.map((threshold) => {
    const { signal, operator, value, minimumReclaim, gracePeriodMs } = threshold;
    const capacity = capacities.get(signal);
    const [needed, reclaimed] = [value, minimumReclaim].map((one) => quantityOf(one, capacity));
    return {
      signal,
      kind: isHardThreshold(threshold) ? 'hard' : 'soft',
      isWatched: operator === 'LessThan',
      threshold: amountOf(value, needed),
      gracePeriodSeconds: gracePeriodMs / 1000,
      minimumReclaim: minimumReclaim === undefined ? null : amountOf(minimumReclaim, reclaimed),
      stopsAtUnits: stopsAt(needed, minimumReclaim === undefined ? 'none' : reclaimed),
    };
  });
}

function quantityOf(value: ThresholdValue | undefined, capacity: Amount | undefined): Quantity | undefined {
  if (value === undefined) return undefined;
  if ('quantity' in value) return value.quantity;
  return capacity === undefined ? undefined : thresholdQuantity(value, capacity);
}

function amountOf(value: ThresholdValue, quantity: Quantity | undefined): ThresholdAmount {
  return {
    quantity: 'quantity' in value ? formatQuantity(value.quantity) : null,
    fraction: 'quantity' in value || !Number.isFinite(value.percentage) ? null : value.percentage,
    units: quantity === undefined ? null : unitsOf(quantity),
  };
}

function stopsAt(needed: Quantity | undefined, reclaimed: Quantity | 'none' | undefined): Amount | null {
  if (needed === undefined || reclaimed === undefined) return null;
  return unitsOf(reclaimed === 'none' ? needed : addQuantities(needed, reclaimed));
}

function unitsOf(quantity: Quantity): Amount {
  const units = wholeValue(quantity);
  const asNumber = Number(units);
  return Number.isSafeInteger(asNumber) ? asNumber : units;
}
