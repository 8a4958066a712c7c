import { metrics } from '../../outputs/metrics/catalogue.ts';
import { colours, upDown } from '../palette.ts';
import { select } from '../queries/selector.ts';
import { cpuOfTheService, dataAge, ofTheService, quantile } from '../queries/service.ts';
import { labelStat, stat } from './stat-panel.ts';
import { timeSeries } from './time-series-panel.ts';

const notScraped = 'evictrank is not scraped';
const half = { width: 12, height: 8 } as const;

export const sourceUp = () =>
  stat({
    title: 'Source',
    description:
      'Whether the last refresh got its data from the query backend. While it is down the last good data are served.',
    noValue: notScraped,
    expr: select(metrics.sourceUp),
    unit: 'none',
    level: 'plain',
    legend: '{{instance}}',
    shown: upDown,
  });

export const ageOfData = () =>
  stat({
    title: 'Age of the data',
    description:
      'Time since the evaluation time of the data served. The service is not ready past three refresh intervals.',
    noValue: 'No refresh has succeeded yet',
    expr: dataAge,
    unit: 's',
    level: 'dataAge',
    legend: '{{instance}}',
  });

export const windowCoverage = () =>
  stat({
    title: 'Window coverage',
    description:
      'Share of the peak window that has been read. Below 100 % peaks may be too low: the backfill is still running, or the backend keeps less history.',
    noValue: notScraped,
    expr: select(metrics.windowCoverage),
    unit: 'percentunit',
    level: 'coverage',
    legend: '{{instance}}',
  });

export const inputProblemCount = () =>
  stat({
    title: 'Input problems',
    description:
      'Problems found in the inputs at the last refresh. `evictrank check` explains each and names the remedy.',
    noValue: 'No input problem is reported',
    expr: `sum by (instance) (${select(metrics.inputProblems)})`,
    unit: 'none',
    level: 'noneIsGood',
    legend: '{{instance}}',
  });

export const version = () =>
  labelStat({
    title: 'Version',
    description: 'Version of evictrank and of Node that run.',
    noValue: notScraped,
    expr: `max by (version, node_version) (${select(metrics.buildInfo)})`,
    labels: { version: 'evictrank', node_version: 'Node' },
    shown: {},
    width: 8,
  });

export const refreshDuration = () =>
  timeSeries({
    title: 'Refresh duration',
    description:
      'Median and 99th percentile of the time a refresh took, good or failed. It should stay well below the refresh interval.',
    noValue: 'No refresh has ended within the time range',
    ...half,
    unit: 's',
    decimals: 2,
    min: 0,
    lines: [
      {
        expr: quantile(0.5, metrics.refreshDuration, 'instance'),
        legend: '{{instance}} median',
        colour: colours.good,
      },
      {
        expr: quantile(0.99, metrics.refreshDuration, 'instance'),
        legend: '{{instance}} p99',
        colour: colours.warning,
      },
    ],
  });

export const refreshOutcomes = () =>
  timeSeries({
    title: 'Refreshes by outcome',
    description: 'Refreshes per minute. Failed ones leave the last good data in place.',
    noValue: 'No refresh has ended within the time range',
    ...half,
    unit: 'cpm',
    decimals: 1,
    min: 0,
    style: 'stacked bars',
    lines: [
      {
        expr: `sum by (outcome) (60 * rate(${select(metrics.refreshes)}[$__rate_interval]))`,
        legend: '{{outcome}}',
      },
    ],
    colours: { ok: { text: 'ok', color: colours.good }, failed: { text: 'failed', color: colours.bad } },
  });

export const queryDuration = () =>
  timeSeries({
    title: 'Query duration (p90)',
    description:
      'Time that the queries to the backend took, by query. The ids are those of `evictrank check`.',
    noValue: 'No query has ended within the time range',
    ...half,
    unit: 's',
    decimals: 3,
    min: 0,
    lines: [{ expr: quantile(0.9, metrics.queryDuration, 'query'), legend: '{{query}}' }],
  });

export const samplesRead = () =>
  timeSeries({
    title: 'Samples read',
    description:
      'Samples per second that the backend reports to have read for the queries: the load evictrank puts on it.',
    noValue: 'The backend does not report samples (only Prometheus does)',
    ...half,
    unit: 'cps',
    decimals: 1,
    min: 0,
    lines: [
      {
        expr: `sum by (query) (rate(${select(metrics.querySamples)}[$__rate_interval]))`,
        legend: '{{query}}',
      },
    ],
  });

export const inputProblemsByKind = () =>
  timeSeries({
    title: 'Input problems by kind',
    description:
      'Problems found in the inputs at each refresh, by kind. `evictrank check` explains each and names the remedy.',
    noValue: 'No input problem was reported within the time range',
    ...half,
    unit: 'none',
    min: 0,
    lines: [{ expr: `max by (kind) (${select(metrics.inputProblems)})`, legend: '{{kind}}' }],
  });

export const memory = () =>
  timeSeries({
    title: 'Memory of the process',
    description: 'Resident memory and used JavaScript heap of evictrank.',
    noValue: notScraped,
    ...half,
    unit: 'bytes',
    decimals: 1,
    min: 0,
    lines: [
      { expr: ofTheService('process_resident_memory_bytes'), legend: '{{instance}} resident' },
      { expr: ofTheService('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap' },
    ],
  });

export const cpu = () =>
  timeSeries({
    title: 'CPU',
    description: 'CPU time per second that evictrank used. It works in bursts, one a refresh.',
    noValue: notScraped,
    ...half,
    unit: 'percentunit',
    decimals: 1,
    min: 0,
    lines: [{ expr: cpuOfTheService(), legend: '{{instance}}' }],
  });

export const eventLoopLag = () =>
  timeSeries({
    title: 'Event loop lag (p99)',
    description:
      'How long requests may have to wait for the event loop. The refresh runs in a worker thread, so this stays low.',
    noValue: notScraped,
    ...half,
    unit: 's',
    decimals: 3,
    min: 0,
    lines: [{ expr: ofTheService('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
  });
