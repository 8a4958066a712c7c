import type { Hour, HourRange } from './hour.ts';

/** Which hours have been asked for and answered in full, and which should be asked for next. */
export interface Coverage {
  /** Forgets hours outside the range, and any that has not ended yet, should the clock have gone back. */
  keepWithin(endedHours: HourRange): void;
  /** These hours are to be asked for again. */
  uncover(hours: HourRange): void;
  cover(hours: HourRange): void;
  isCovered(hour: Hour): boolean;
  /** An answer failed: other hours go first, and these are asked for one by one. */
  postpone(hours: HourRange): void;
  /** Hours of the range that are covered, ascending. */
  covered(): Hour[];
  /** The newest hours still missing, at most `maxHours` in a row; undefined where none is. */
  nextMissing(endedHours: HourRange, maxHours: number): HourRange | undefined;
}

export function createCoverage(initial: Iterable<Hour> = []): Coverage {
  const done = new Set<Hour>(initial);
  const failures = new Map<Hour, number>();
  const failuresOf = (hour: Hour): number => failures.get(hour) ?? 0;

  return {
    keepWithin({ first, last }) {
      for (const hour of done) if (hour < first || hour > last) done.delete(hour);
      for (const hour of failures.keys()) if (hour < first || hour > last) failures.delete(hour);
    },
    uncover({ first, last }) {
      for (let hour = first; hour <= last; hour++) done.delete(hour);
    },
    cover({ first, last }) {
      for (let hour = first; hour <= last; hour++) {
        done.add(hour);
        failures.delete(hour);
      }
    },
    isCovered: (hour) => done.has(hour),
    postpone({ first, last }) {
      for (let hour = first; hour <= last; hour++) failures.set(hour, failuresOf(hour) + 1);
    },
    covered: () => [...done].sort((a, b) => a - b),
    nextMissing({ first, last }, maxHours) {
      let newest: Hour | undefined;
      for (let hour = last; hour >= first; hour--) {
        if (done.has(hour)) continue;
        if (newest === undefined || failuresOf(hour) < failuresOf(newest)) newest = hour;
      }
      if (newest === undefined) return undefined;
      const failed = failuresOf(newest);
      // One bad hour must not keep its neighbours from being covered.
      const limit = failed > 0 ? 1 : maxHours;
      let oldest = newest;
      while (
        newest - oldest + 1 < limit &&
        oldest - 1 >= first &&
        !done.has(oldest - 1) &&
        failuresOf(oldest - 1) === failed
      ) {
        oldest--;
      }
      return { first: oldest, last: newest };
    },
  };
}
