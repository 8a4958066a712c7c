/** Less history than this says little of a daily curve, so nothing is recommended from it. */
export const MINIMUM_OBSERVED_HOURS = 24;

/**
 * Memory request each pod of a workload should have: its window peak plus a margin, rounded up to a whole MiB.
 * @returns bytes; undefined where the peak is not known or less than a day has been observed.
 */
export function recommendRequestBytes(workload: {
  readonly peakBytes: number | undefined;
  /** Share on top of the peak, 0.15 = 15 %. */
  readonly margin: number;
  /** Hours of the window with data of the workload; undefined where the window cannot tell. */
  readonly observedHours: number | undefined;
}): number | undefined {
  const { peakBytes, margin, observedHours } = workload;
  if (peakBytes === undefined) return undefined;
  if (observedHours !== undefined && observedHours < MINIMUM_OBSERVED_HOURS) return undefined;
  const mebibyte = 1_048_576;
  return Math.ceil((peakBytes * (1 + margin)) / mebibyte) * mebibyte;
}
