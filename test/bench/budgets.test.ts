import { describe, expect, it } from 'vitest';
import { judge } from '../../bench/budgets.ts';
import type { RefreshFigures } from '../../bench/refresh-run.ts';
import type { WindowCost } from '../../bench/window-cost.ts';

const spread = (p99: number) => ({ p50: 1, p99, max: 1_000 });
const largest: RefreshFigures = {
  pods: 150_000,
  nodes: 5_000,
  firstRefreshSeconds: 100,
  backfillSeconds: 100,
  steadyRefreshes: 10,
  refreshSeconds: { median: 10, max: 13 },
  hourlySizingSeconds: 2,
  stageSeconds: { rank: 0.5 },
  cpuSecondsPerRefresh: 10,
  loopDelayMs: spread(50),
  firstByteMs: spread(50),
  apiMs: spread(1_000),
  wholeScrapeMs: spread(1_000),
  scrapes: 100,
  steadyRssBytes: 2 ** 30,
  peakRssBytes: 1.5 * 2 ** 30,
  packedBytes: 1,
  unpackedBytes: 1,
  savedWindowBytes: 1,
};
const cost = (samples: number) => ({ samples, seconds: 1 });
const window: WindowCost = {
  pods: 1_000,
  samplesWritten: 1,
  fillSeconds: 1,
  plainQuery: cost(1_000_000),
  backfill: cost(1_000_000),
  steadyWindow: cost(1_000),
  steadyRefresh: cost(1_000_000),
  sizing: cost(1_000_000),
};

const failed = (figures: Parameters<typeof judge>[0]): string[] =>
  judge(figures)
    .filter(({ isMet }) => !isMet)
    .map(({ name }) => name);

describe('the verdict of the benchmark', () => {
  it('is good for figures exactly at their budgets', () => {
    expect(judge({ window, largest })).toHaveLength(6);
    expect(failed({ window, largest })).toEqual([]);
  });

  it.each<[string, Partial<RefreshFigures>]>([
    ['steady refresh, worst, with the hourly sizing', { refreshSeconds: { median: 1, max: 13.1 } }],
    ['steady refresh, worst, with the hourly sizing', { hourlySizingSeconds: 2.1 }],
    ['event-loop delay p99 during it', { loopDelayMs: spread(50.1) }],
    ['first byte of /metrics during it, p99', { firstByteMs: spread(Number.NaN) }],
    ['resident memory, most since the start', { peakRssBytes: 1.51 * 2 ** 30 }],
    ['ranking', { stageSeconds: { rank: 0.51 } }],
  ])('is bad where "%s" is beyond its budget, or no number', (name, changes) => {
    expect(failed({ window, largest: { ...largest, ...changes } })).toEqual([name]);
  });

  it('is bad where the window reads too much', () => {
    expect(failed({ window: { ...window, steadyWindow: cost(1_001) }, largest })).toHaveLength(1);
  });

  it('says nothing of what was not run', () => {
    expect(judge({ window: undefined, largest: undefined })).toEqual([]);
  });
});
