/**
 * An amount of a resource. A number is exact up to 2^53 and fast, which is what a cluster's 150,000 pods need;
 * a bigint holds the kubelet's whole int64 range. The two may be mixed as long as the numbers are whole.
 */
export type Amount = number | bigint;

export function addAmounts(a: number, b: number): number;
export function addAmounts(a: Amount, b: Amount): Amount;
export function addAmounts(a: Amount, b: Amount): Amount {
  return typeof a === 'number' && typeof b === 'number' ? a + b : BigInt(a) + BigInt(b);
}

export function subtractAmounts(a: number, b: number): number;
export function subtractAmounts(a: Amount, b: Amount): Amount;
export function subtractAmounts(a: Amount, b: Amount): Amount {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
}

/** Negative, 0 or positive as `a` is below, at or above `b`; exact, for JavaScript compares the two kinds exactly. */
export function compareAmounts(a: Amount, b: Amount): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/**
 * Statistics are uint64 and comparisons int64, so the kubelet sees a working set of 2^63 and above as negative
 * (`memoryUsage` in pkg/kubelet/eviction/helpers.go).
 */
export function wrapToInt64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}
