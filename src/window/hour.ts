/**
 * Hours are numbered by their end: hour h covers the 3,600 s up to h × 3,600 s since the epoch, so a sample exactly on
 * the hour is the last of its hour. That is how a range selector evaluated on the hour reads: Prometheus 3 takes
 * (t−1h, t]. Prometheus 2 takes [t−1h, t], so there the sample on the hour also counts for the hour it opens; because
 * every bucket is the backend's own `max_over_time` within its hour, the kept peak equals the backend's answer on both.
 */
export type Hour = number;

export const hourMs = 3_600_000;

/** The hour a time belongs to: the running one. */
export function hourOf(timeMs: number): Hour {
  return Math.ceil(timeMs / hourMs);
}

/** The newest hour that has ended at that time. On the hour, it is the hour of that time itself. */
export function lastEndedHour(timeMs: number): Hour {
  return Math.floor(timeMs / hourMs);
}

export function hourStartMs(hour: Hour): number {
  return (hour - 1) * hourMs;
}

export function hourEndMs(hour: Hour): number {
  return hour * hourMs;
}

/** Hours from `first` to `last`, both included. */
export interface HourRange {
  readonly first: Hour;
  readonly last: Hour;
}

/** The hours a window of whole hours shows: those that have ended, and the running one. */
export function windowAt(timeMs: number, windowHours: number): HourRange {
  return { first: lastEndedHour(timeMs) - windowHours + 1, last: hourOf(timeMs) };
}

/** A stretch of time within one hour. */
export interface HourSegment {
  readonly hour: Hour;
  readonly startMs: number;
  readonly endMs: number;
}

/** Cuts a stretch of time at every hour, oldest first, so that no sample is counted for an hour it is not of. */
export function splitByHour(startMs: number, endMs: number): HourSegment[] {
  const segments: HourSegment[] = [];
  let from = startMs;
  while (from < endMs) {
    const hour = lastEndedHour(from) + 1;
    const to = Math.min(endMs, hourEndMs(hour));
    segments.push({ hour, startMs: from, endMs: to });
    from = to;
  }
  return segments;
}
