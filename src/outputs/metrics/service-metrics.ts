import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { problemKinds } from '../../model/problem.ts';
import type { QueryObserver } from '../../prometheus/client.ts';
import type { RefreshState } from '../../snapshot/refresh-loop.ts';
import { type MetricFamily, metrics } from './catalogue.ts';

export interface ServiceMetrics extends QueryObserver {
  refreshDone(state: RefreshState): void;
  /** The text of the service's own metrics, Node's included. */
  text(): Promise<string>;
}

/** Gauges that prom-client names like counters, which promtool rejects; the same by kind stay (`nodejs_active_handles`). */
const misnamedDefaults = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Metrics about evictrank itself. */
export function createServiceMetrics(build: { readonly version: string }): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamedDefaults) registry.removeSingleMetric(name);
  const define = (family: MetricFamily) => ({
    name: family.name,
    help: family.help,
    labelNames: [...family.labels],
    registers: [registry],
  });

  // prom-client exports a gauge without labels as 0 from birth. What is not known yet must not be there: such gauges
  // are registered on their first value.
  const known = new Map<string, Gauge>();
  const setOnceKnown = (family: MetricFamily, value: number | undefined): void => {
    if (value === undefined) return;
    const gauge = known.get(family.name) ?? new Gauge(define(family));
    known.set(family.name, gauge);
    gauge.set(value);
  };

  const refreshDuration = new Histogram({
    ...define(metrics.refreshDuration),
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120],
  });
  const refreshes = new Counter(define(metrics.refreshes));
  for (const outcome of ['ok', 'failed']) refreshes.inc({ outcome }, 0);
  const queryDuration = new Histogram({
    ...define(metrics.queryDuration),
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  });
  const querySamples = new Counter(define(metrics.querySamples));
  const problems = new Gauge(define(metrics.inputProblems));
  new Gauge(define(metrics.buildInfo)).set({ version: build.version, node_version: process.version }, 1);

  return {
    queryDone({ id, durationSeconds, samplesRead }) {
      queryDuration.observe({ query: id }, durationSeconds);
      if (samplesRead !== undefined) querySamples.inc({ query: id }, samplesRead);
    },
    refreshDone({ snapshot, lastOutcome, lastDurationSeconds }) {
      if (lastOutcome !== undefined) refreshes.inc({ outcome: lastOutcome });
      if (lastDurationSeconds !== undefined) refreshDuration.observe(lastDurationSeconds);
      setOnceKnown(metrics.sourceUp, lastOutcome === undefined ? undefined : Number(lastOutcome === 'ok'));
      if (snapshot === undefined) return;
      setOnceKnown(metrics.lastRefreshTimestamp, snapshot.evaluatedAtMs / 1000);
      setOnceKnown(metrics.windowCoverage, snapshot.windowCoverageRatio);
      for (const kind of problemKinds) {
        problems.set({ kind }, snapshot.problems.filter((problem) => problem.kind === kind).length);
      }
    },
    text: () => registry.metrics(),
  };
}
