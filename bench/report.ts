import { cpus, totalmem } from 'node:os';
import { formatBytes } from '../src/foundation/byte-text.ts';
import { type Column, textTable } from '../src/outputs/cli/text-table.ts';
import { refreshStages } from '../src/snapshot/stages.ts';
import type { Verdict } from './budgets.ts';
import type { RefreshFigures } from './refresh-run.ts';
import type { WindowCost } from './window-cost.ts';

/** What the figures depend on; names no host. */
export function describeMachine(): string {
  const processors = cpus();
  return `${processors.length} cores (${processors[0]?.model.trim()}), ${formatBytes(totalmem())} memory, Node ${process.version}`;
}

type Line = readonly string[];

/** Lines of a table whose first column is text and the others numbers. */
export function table(titles: Line, lines: readonly Line[]): string {
  const columns = titles.map(
    (title, i): Column<Line> => ({ title, align: i === 0 ? 'left' : 'right', text: (line) => line[i] ?? '' }),
  );
  return textTable(columns, [{ heading: undefined, rows: lines }], undefined).join('\n');
}

const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`;
const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
const count = (value: number): string => value.toLocaleString('en-US');

export function windowTable(cost: WindowCost): string {
  const line = (name: string, { samples, seconds: spent }: WindowCost['backfill']): Line => [
    name,
    count(samples),
    seconds(spent),
    `1/${count(Math.round(cost.plainQuery.samples / samples))}`,
  ];
  return table(
    [`${count(cost.pods)} pods, a sample a minute for 7 days`, 'samples read', 'time', 'of the plain query'],
    [
      line('plain query, max_over_time(…[7d])', cost.plainQuery),
      line('the whole backfill, once', cost.backfill),
      line('steady refresh: the window', cost.steadyWindow),
      line('steady refresh: all queries', cost.steadyRefresh),
      line('once an hour: OOM kills and autoscalers', cost.sizing),
    ],
  );
}

interface Row {
  readonly name: string;
  readonly text: (figures: RefreshFigures) => string;
}

const spreadText = ({ p50, p99, max }: RefreshFigures['loopDelayMs']): string =>
  `${p50.toFixed(1)} / ${p99.toFixed(1)} / ${max.toFixed(1)} ms`;

const refreshRows: readonly Row[] = [
  { name: 'steady refresh, median', text: ({ refreshSeconds }) => seconds(refreshSeconds.median) },
  { name: 'steady refresh, worst', text: ({ refreshSeconds }) => seconds(refreshSeconds.max) },
  ...refreshStages.map(
    (stage): Row =>
      stage === 'size'
        ? {
            name: '  size, while pods are looked at',
            text: ({ hourlySizingSeconds }) => seconds(hourlySizingSeconds),
          }
        : { name: `  ${stage}`, text: ({ stageSeconds }) => seconds(stageSeconds[stage] ?? 0) },
  ),
  {
    name: 'processor time of one refresh, all threads',
    text: (figures) => seconds(figures.cpuSecondsPerRefresh),
  },
  { name: 'first refresh', text: ({ firstRefreshSeconds }) => seconds(firstRefreshSeconds) },
  { name: 'until the window is full', text: ({ backfillSeconds }) => seconds(backfillSeconds) },
  { name: 'event-loop delay p50 / p99 / max', text: ({ loopDelayMs }) => spreadText(loopDelayMs) },
  { name: 'first byte of /metrics p50 / p99 / max', text: ({ firstByteMs }) => spreadText(firstByteMs) },
  { name: 'whole scrape, median', text: ({ wholeScrapeMs }) => milliseconds(wholeScrapeMs.p50) },
  { name: 'an answer of the API p50 / p99 / max', text: ({ apiMs }) => spreadText(apiMs) },
  { name: 'resident memory, steady', text: ({ steadyRssBytes }) => formatBytes(steadyRssBytes) },
  { name: 'resident memory, most since the start', text: ({ peakRssBytes }) => formatBytes(peakRssBytes) },
  { name: '/metrics as sent (gzip)', text: ({ packedBytes }) => formatBytes(packedBytes) },
  { name: '/metrics unpacked', text: ({ unpackedBytes }) => formatBytes(unpackedBytes) },
  { name: 'saved window', text: ({ savedWindowBytes }) => formatBytes(savedWindowBytes) },
];

export function refreshTable(runs: readonly RefreshFigures[]): string {
  return table(
    ['', ...runs.map(({ pods, nodes }) => `${count(pods)} pods on ${count(nodes)} nodes`)],
    refreshRows.map(({ name, text }) => [name, ...runs.map(text)]),
  );
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const figure = (value: number, unit: string): string => `${Number(value.toPrecision(3))} ${unit}`.trim();
  return table(
    ['budget', 'at most', 'measured', ''],
    verdicts.map(({ name, unit, limit, measured, isMet }) => [
      name,
      figure(limit, unit),
      figure(measured, unit),
      isMet ? 'pass' : 'FAIL',
    ]),
  );
}
