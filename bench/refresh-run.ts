import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RefreshStage } from '../src/snapshot/stages.ts';
import { type MeasuredService, type RefreshLine, startMeasuredService } from './measured-service.ts';
import { spread } from './percentile.ts';
import { type Scrape, scrape, scrapeWhile } from './scrape.ts';
import { type ClusterSize, startWireServer } from './start-wire-server.ts';

type Spread = ReturnType<typeof spread>;

/** What refreshes of one cluster size cost. */
export interface RefreshFigures extends ClusterSize {
  readonly firstRefreshSeconds: number;
  /** From the start until all hours of the window are there. */
  readonly backfillSeconds: number;
  readonly steadyRefreshes: number;
  readonly refreshSeconds: { readonly median: number; readonly max: number };
  /** Of the refresh that fills the window, which begins a look at all pods; the others go on with it. */
  readonly hourlySizingSeconds: number;
  /** Medians. */
  readonly stageSeconds: Readonly<Partial<Record<RefreshStage, number>>>;
  /** Of all threads of the service, per refresh. */
  readonly cpuSecondsPerRefresh: number;
  readonly loopDelayMs: Spread;
  readonly firstByteMs: Spread;
  /** Whole answers of the API, as the page asks for them. */
  readonly apiMs: Spread;
  readonly wholeScrapeMs: Spread;
  readonly scrapes: number;
  readonly steadyRssBytes: number;
  readonly peakRssBytes: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly savedWindowBytes: number;
}

const scrapePauseMs = 500;

/** `p1` is a part of many names, so that the search has to look at every pod. */
const questionsTo = (url: string) => ({
  metricsUrl: `${url}/metrics`,
  apiUrls: ['nodes', 'pods?limit=100', 'pods?limit=100&search=p1'].map((path) => `${url}/api/v1/${path}`),
  pauseMs: scrapePauseMs,
});

/** Runs the service on a cluster of that size until its window is full, then measures some refreshes. */
export async function measureRefreshes(
  size: ClusterSize,
  options: { readonly refreshes: number; readonly say: (line: string) => void },
): Promise<RefreshFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-bench-'));
  const windowFile = join(folder, 'window');
  const backend = await startWireServer(size);
  try {
    const service = await startMeasuredService(backend.url, {
      refreshIntervalSeconds: size.pods > 50_000 ? 15 : 5,
      flags: [
        '--priority-classes=batch-preemptible=-1000,business-critical=100000',
        `--window.file=${windowFile}`,
      ],
    });
    try {
      const figures = await measure(service, options);
      return { ...size, ...figures, savedWindowBytes: (await stat(windowFile)).size };
    } finally {
      await service.stop();
    }
  } finally {
    await backend.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  service: MeasuredService,
  { refreshes, say }: Parameters<typeof measureRefreshes>[1],
): Promise<Omit<RefreshFigures, keyof ClusterSize | 'savedWindowBytes'>> {
  const startedMs = performance.now();
  const first = await service.nextRefresh();
  say(`first ${lineOf(first)}`);
  let last = first;
  while (last.windowCoverageRatio < 1) {
    last = await service.nextRefresh();
    const coverage = Math.round(last.windowCoverageRatio * 100);
    say(`window ${coverage} %, ${lineOf(last)}`);
  }
  const backfillSeconds = (performance.now() - startedMs) / 1000;
  // A look is due again when the window is full.
  const hourlySizingSeconds = last.stageSeconds.size ?? 0;

  const lines: RefreshLine[] = [];
  const scrapes: Scrape[] = [];
  const answers: Scrape[] = [];
  const loopDelays: Spread[] = [];
  let cpuSeconds = 0;
  let steadyRssBytes = 0;
  for (let i = 0; i < refreshes; i++) {
    // Refreshes start an interval apart: only the time in which one runs is looked at.
    await delay(service.refreshIntervalMs - last.durationSeconds * 1000 - 200);
    const before = await service.probe('reset');
    const refreshed = service.nextRefresh();
    const asked = await scrapeWhile(questionsTo(service.url), refreshed);
    scrapes.push(...asked.scrapes);
    answers.push(...asked.answers);
    last = await refreshed;
    const after = await service.probe();
    say(lineOf(last));
    lines.push(last);
    loopDelays.push(after.loopDelayMs);
    cpuSeconds += after.cpuSeconds - before.cpuSeconds;
    steadyRssBytes = Math.max(steadyRssBytes, after.rssBytes);
  }
  const { maxRssBytes } = await service.probe();
  const unpacked = await scrape(`${service.url}/metrics`, { 'Accept-Encoding': 'identity' });
  const stages = Object.keys(lines[0]?.stageSeconds ?? {}) as RefreshStage[];
  const firstBytes = spread(scrapes.map(({ firstByteMs }) => firstByteMs));
  const durations = spread(lines.map(({ durationSeconds }) => durationSeconds));
  return {
    firstRefreshSeconds: first.durationSeconds,
    backfillSeconds,
    hourlySizingSeconds,
    steadyRefreshes: lines.length,
    refreshSeconds: { median: durations.p50, max: durations.max },
    stageSeconds: Object.fromEntries(
      stages.map((stage) => [stage, spread(lines.map(({ stageSeconds }) => stageSeconds[stage] ?? 0)).p50]),
    ),
    cpuSecondsPerRefresh: cpuSeconds / refreshes,
    loopDelayMs: worst(loopDelays),
    firstByteMs: firstBytes,
    apiMs: spread(answers.map(({ totalMs }) => totalMs)),
    wholeScrapeMs: spread(scrapes.map(({ totalMs }) => totalMs)),
    scrapes: scrapes.length,
    steadyRssBytes,
    peakRssBytes: maxRssBytes,
    packedBytes: scrapes.at(-1)?.bytes ?? 0,
    unpackedBytes: unpacked.bytes,
  };
}

function lineOf({ durationSeconds, stageSeconds }: RefreshLine): string {
  return `refresh ${durationSeconds.toFixed(2)} s, ${JSON.stringify(stageSeconds)}`;
}

/** The worst refresh counts, not the average of all. */
function worst(spreads: readonly Spread[]): Spread {
  const highest = (of: keyof Spread): number => Math.max(...spreads.map((spread) => spread[of]));
  return { p50: highest('p50'), p99: highest('p99'), max: highest('max') };
}
