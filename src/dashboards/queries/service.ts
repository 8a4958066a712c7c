import { type MetricFamily, metrics } from '../../outputs/metrics/catalogue.ts';
import type { ExternalMetric } from './external.ts';
import { select } from './selector.ts';

/** Quantile of a histogram over time, by the given labels. */
export function quantile(q: number, family: MetricFamily, by: string): string {
  return `histogram_quantile(${q}, sum by (${by}, le) (rate(${family.name}_bucket[$__rate_interval])))`;
}

/** A metric that every Node program exports, for the targets that are evictrank. */
export function ofTheService(metric: ExternalMetric): string {
  return `${select(metric)} and on (job, instance) ${select(metrics.buildInfo)}`;
}

export function cpuOfTheService(): string {
  return `rate(process_cpu_seconds_total[$__rate_interval]) and on (job, instance) ${select(metrics.buildInfo)}`;
}

export const dataAge: string = `time() - ${select(metrics.lastRefreshTimestamp)}`;
