import type { RefreshFigures } from './refresh-run.ts';
import type { WindowCost } from './window-cost.ts';

/** What was measured; a part that was not run is undefined. */
export interface Measured {
  readonly window: WindowCost | undefined;
  /** Of the largest cluster. */
  readonly largest: RefreshFigures | undefined;
}

/** A bar of the design document. */
export interface Budget {
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  /** Undefined where it was not measured. */
  readonly measured: (figures: Measured) => number | undefined;
}

const gibibyte = 2 ** 30;

export const budgets: readonly Budget[] = [
  {
    name: 'samples read at a steady refresh, against the plain 7-day query',
    unit: '',
    limit: 1 / 1000,
    measured: ({ window }) => window && window.steadyWindow.samples / window.plainQuery.samples,
  },
  {
    name: 'steady refresh, worst, with the hourly sizing',
    unit: 's',
    limit: 15,
    measured: ({ largest }) => largest && largest.refreshSeconds.max + largest.hourlySizingSeconds,
  },
  {
    name: 'event-loop delay p99 during it',
    unit: 'ms',
    limit: 50,
    measured: ({ largest }) => largest?.loopDelayMs.p99,
  },
  {
    name: 'first byte of /metrics during it, p99',
    unit: 'ms',
    limit: 50,
    measured: ({ largest }) => largest?.firstByteMs.p99,
  },
  {
    name: 'resident memory, most since the start',
    unit: 'GiB',
    limit: 1.5,
    measured: ({ largest }) => largest && largest.peakRssBytes / gibibyte,
  },
  {
    name: 'ranking',
    unit: 's',
    limit: 0.5,
    measured: ({ largest }) => largest?.stageSeconds.rank,
  },
];

export interface Verdict {
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  readonly measured: number;
  readonly isMet: boolean;
}

/** Judges what was measured; NaN fails. */
export function judge(figures: Measured): Verdict[] {
  return budgets.flatMap(({ name, unit, limit, measured }) => {
    const value = measured(figures);
    return value === undefined ? [] : [{ name, unit, limit, measured: value, isMet: value <= limit }];
  });
}
