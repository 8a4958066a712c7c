/**
 * Share of rising pairs minus share of falling ones. Falling pairs are counted while sorting (merge sort, as in Knight's
 * algorithm): a week has 14,000 pairs, and a large cluster 150,000 pods.
 */
export function kendallTau(values: readonly number[]): number {
  const pairs = (values.length * (values.length - 1)) / 2;
  let sorted = Float64Array.from(values);
  let merged = new Float64Array(values.length);
  let falling = 0;
  for (let width = 1; width < sorted.length; width *= 2) {
    for (let start = 0; start < sorted.length; start += 2 * width) {
      falling += mergeCounting(sorted, merged, {
        start,
        middle: Math.min(start + width, sorted.length),
        end: Math.min(start + 2 * width, sorted.length),
      });
    }
    [sorted, merged] = [merged, sorted];
  }
  return (pairs - 2 * falling - countTies(sorted)) / pairs;
}

/** Merges two sorted runs; answers how many pairs of an earlier and a later value fall. */
function mergeCounting(
  from: Float64Array,
  into: Float64Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): number {
  let falling = 0;
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const earlier = left < middle ? (from[left] ?? 0) : Number.POSITIVE_INFINITY;
    const later = right < end ? (from[right] ?? 0) : Number.POSITIVE_INFINITY;
    if (left < middle && earlier <= later) {
      into[at] = earlier;
      left++;
    } else {
      into[at] = later;
      right++;
      falling += middle - left;
    }
  }
  return falling;
}

function countTies(sorted: Float64Array): number {
  let ties = 0;
  let run = 0;
  for (let i = 1; i < sorted.length; i++) {
    run = sorted[i] === sorted[i - 1] ? run + 1 : 0;
    ties += run;
  }
  return ties;
}
