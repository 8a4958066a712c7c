/**
 * Priorities of 2000000000 and more: such pods are never evicted (`SystemCriticalPriority`, kubernetes
 * pkg/apis/scheduling/types.go). A priority is an int32, so none is above 2147483647.
 */
export const protectedPriorities = '2[0-9]{9}';

/**
 * A regular expression for the decimal integers from `minimum` on, without sign or leading zeros. The priority
 * of a pod is a label, and PromQL compares labels by pattern only.
 */
export function integersFrom(minimum: number): string {
  const digits = String(minimum);
  const sameLength = [...digits].flatMap((digit, index) => {
    const larger = Number(digit) + 1;
    if (larger > 9) return [];
    return [`${digits.slice(0, index)}${digitsFrom(larger)}${anyDigits(digits.length - index - 1)}`];
  });
  return [digits, ...sameLength, `[1-9][0-9]{${digits.length},}`].join('|');
}

function digitsFrom(lowest: number): string {
  return lowest === 9 ? '9' : `[${lowest}-9]`;
}

function anyDigits(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '[0-9]' : `[0-9]{${count}}`;
}
