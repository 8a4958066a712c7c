/** What the hourly peaks of a workload over the window say of its need. */
export interface HourlyPeaks {
  readonly peakBytes: number;
  /** Percentiles of the hourly peaks by nearest rank, so each is a peak that was seen. */
  readonly medianBytes: number;
  readonly p95Bytes: number;
  readonly p99Bytes: number;
  /** Hours with data. */
  readonly observedHours: number;
  /** Hours from the first with data to the last, both included. */
  readonly spanHours: number;
  /** Share of the observed hours whose peak was above the request; undefined where the request is unknown. */
  readonly timeOverRequestRatio: number | undefined;
}

/**
 * Summarizes a workload's hours.
 * @param hours peak of each hour, oldest first; NaN where an hour has no data.
 * @returns undefined where no hour has data.
 */
export function summarizeHourlyPeaks(
  hours: readonly number[],
  requestBytes: number | undefined,
): HourlyPeaks | undefined {
  const known = hours.filter((bytes) => !Number.isNaN(bytes));
  const sorted = Float64Array.from(known).sort();
  const peakBytes = sorted.at(-1);
  if (peakBytes === undefined) return undefined;
  const first = hours.findIndex((bytes) => !Number.isNaN(bytes));
  const last = hours.findLastIndex((bytes) => !Number.isNaN(bytes));
  return {
    peakBytes,
    medianBytes: nearestRank(sorted, 0.5),
    p95Bytes: nearestRank(sorted, 0.95),
    p99Bytes: nearestRank(sorted, 0.99),
    observedHours: known.length,
    spanHours: last - first + 1,
    timeOverRequestRatio:
      requestBytes === undefined
        ? undefined
        : known.filter((bytes) => bytes > requestBytes).length / known.length,
  };
}

/** The smallest value that at least this share of all values does not exceed. */
function nearestRank(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
