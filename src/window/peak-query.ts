import { formatDuration } from '../foundation/duration.ts';
import { narrow, type QueryScope } from '../inputs/scope.ts';
import { type Shard, shardMatchers } from '../inputs/shard.ts';
import type { UsageSource } from '../inputs/usage-sources.ts';
import type { PrometheusClient, Sample, Series } from '../prometheus/client.ts';
import { type HourRange, type HourSegment, hourEndMs, hourMs } from './hour.ts';

/** What every question of the window needs. */
export interface PeakQueryContext {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly source: UsageSource;
  readonly signal: AbortSignal | undefined;
  /** Told after each answer how many of its points were dropped as NaN, infinite or too large. */
  readonly onDropped: (points: number) => void;
}

/**
 * Highest working sets within a stretch of one hour.
 * @throws PrometheusError
 */
export async function askSegment(
  context: PeakQueryContext,
  segment: HourSegment,
  shard: Shard,
): Promise<readonly Sample[]> {
  const answer = await context.client.instant({
    id: 'pod_peak',
    query: peakQuery(context, shard, segment.endMs - segment.startMs),
    timeMs: segment.endMs,
    ...cancelBy(context.signal),
  });
  context.onDropped(answer.droppedPoints);
  return answer.rows;
}

/**
 * Hourly maxima of past hours.
 * @throws PrometheusError
 */
export async function askHours(
  context: PeakQueryContext,
  hours: HourRange,
  shard: Shard,
): Promise<readonly Series[]> {
  const answer = await context.client.range({
    id: 'pod_peak_history',
    query: peakQuery(context, shard, hourMs),
    startMs: hourEndMs(hours.first),
    endMs: hourEndMs(hours.last),
    stepMs: hourMs,
    ...cancelBy(context.signal),
  });
  context.onDropped(answer.droppedPoints);
  return answer.rows;
}

/**
 * A sum over deduplicated series is held twice: the series, and each of them once more after deduplication. Measured
 * (`peakSamples` of `stats=all`): on Prometheus 2.42 2.01 to 2.05 for each series and step, on 3.16 exactly 1.
 */
const heldPerSample = 2;

/**
 * Samples the backend must hold at once for each hour asked for; 0 where it takes one series after the other.
 * @throws PrometheusError
 */
export async function countHeldSamplesPerHour(context: PeakQueryContext, timeMs: number): Promise<number> {
  const { client, scope, source, signal } = context;
  if (source.heldAtOnce === undefined) return 0;
  const { seriesCountQuery, stepMs } = source.heldAtOnce;
  const answer = await client.instant({
    id: 'pod_peak_series',
    query: seriesCountQuery(scope),
    timeMs,
    ...cancelBy(signal),
  });
  return (heldPerSample * (answer.rows[0]?.value ?? 0) * hourMs) / stepMs;
}

function peakQuery({ scope, source }: PeakQueryContext, shard: Shard, rangeMs: number): string {
  const matchers = shardMatchers(shard, scope.labels[source.exporter], { pods: true });
  return source.peakQuery(narrow(scope, matchers), formatDuration(rangeMs));
}

function cancelBy(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
