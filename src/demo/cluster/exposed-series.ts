import type { ScrapeTarget } from './scrape-target.ts';

/** A series as an exporter exposes it over time: a pure function of time between two ends. */
export interface ExposedSeries {
  readonly target: ScrapeTarget;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly valueAt: (timeMs: number) => number;
  readonly fromMs: number;
  /** The first time it is not exposed any more. */
  readonly untilMs: number;
  /** `week` = needed over the whole week; `hours` = only its last hours are asked for, so only they are written. */
  readonly history: 'week' | 'hours';
  /** False: it vanishes without a staleness marker. */
  readonly isMarked: boolean;
}

export const always: Pick<ExposedSeries, 'fromMs' | 'untilMs'> = {
  fromMs: Number.NEGATIVE_INFINITY,
  untilMs: Number.POSITIVE_INFINITY,
};

export const one = (): number => 1;
