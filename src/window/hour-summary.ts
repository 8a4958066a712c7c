import type { Hour, HourRange } from './hour.ts';
import type { HourTable } from './hour-table.ts';

/** What a row says of a stretch of hours. */
export interface HourSummary {
  /** Highest of the hours; undefined where none has data. */
  readonly peakBytes: number | undefined;
  readonly observedHours: number;
  /** Observed hours whose peak was above the threshold. */
  readonly hoursAbove: number;
}

/** Reads a row over the given hours; a peak equal to the threshold is not above it. */
export function summarizeHours(
  table: HourTable,
  row: number,
  hours: HourRange & { readonly thresholdBytes?: number | undefined },
): HourSummary {
  const thresholdBytes = hours.thresholdBytes ?? Number.POSITIVE_INFINITY;
  const slots = table.slots(row);
  const first = Math.max(hours.first, table.newestHour - table.hoursKept + 1);
  const last = Math.min(hours.last, table.newestHour);
  let peakBytes = Number.NEGATIVE_INFINITY;
  let observedHours = 0;
  let hoursAbove = 0;
  let slot = table.slotOf(first);
  for (let hour = first; hour <= last; hour++) {
    const bytes = slots[slot] ?? Number.NaN;
    if (++slot === table.hoursKept) slot = 0;
    if (Number.isNaN(bytes)) continue;
    observedHours++;
    if (bytes > peakBytes) peakBytes = bytes;
    if (bytes > thresholdBytes) hoursAbove++;
  }
  return { peakBytes: observedHours === 0 ? undefined : peakBytes, observedHours, hoursAbove };
}

/** A row's maxima over the given hours, oldest first; NaN where an hour has no data. */
export function listHours(table: HourTable, row: number, { first, last }: HourRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => table.at(row, first + i));
}

/** The newest hour with data in a row; undefined where there is none. */
export function lastObservedHour(table: HourTable, row: number): Hour | undefined {
  const slots = table.slots(row);
  for (let hour = table.newestHour; hour > table.newestHour - table.hoursKept; hour--) {
    if (!Number.isNaN(slots[table.slotOf(hour)] ?? Number.NaN)) return hour;
  }
  return undefined;
}
