import { formatDuration } from '../foundation/duration.ts';
import { collectOwnerHistory } from '../inputs/owner-inputs.ts';
import { narrow } from '../inputs/scope.ts';
import { type Shard, shardMatchers } from '../inputs/shard.ts';
import type { UsageSource } from '../inputs/usage-sources.ts';
import { clusterOf, podKey } from '../model/keys.ts';
import { workloadLookup } from '../model/workload.ts';
import type { Series } from '../prometheus/client.ts';
import { type Hour, type HourRange, hourEndMs, hourMs } from './hour.ts';
import { askHours, type PeakQueryContext } from './peak-query.ts';
import { type PeakRows, workloadRowKey } from './peak-rows.ts';
import { podMayReturn } from './retention.ts';

/** One question to the past: some hours of a part of the pods. */
export interface PastHours {
  readonly hours: HourRange;
  readonly shard: Shard;
}

/**
 * Takes past hours of a part of the pods into the rows, those of pods that are gone into the rows of their workloads.
 * Hours without any data are asked for from the other sources, too: a source may have come or gone in the meantime.
 * @param sources in order of preference, each with the hours one question may ask for.
 * @throws PrometheusError; what was taken before it stays, for taking a maximum twice changes nothing.
 */
export async function takePastHours(
  context: Omit<PeakQueryContext, 'source'>,
  past: PastHours,
  parts: {
    readonly rows: PeakRows;
    readonly sources: readonly { readonly source: UsageSource; readonly maxHours: () => Promise<number> }[];
  },
): Promise<void> {
  let missing: HourRange | undefined = past.hours;
  for (const { source, maxHours } of parts.sources) {
    if (missing === undefined) return;
    const seen = new Set<Hour>();
    for (const hours of cutRange(missing, await maxHours())) {
      const series = await askHours({ ...context, source }, hours, past.shard);
      await takeSeries(
        { ...context, source },
        { series, hours, shard: past.shard },
        { rows: parts.rows, seen },
      );
    }
    missing = rangeWithout(missing, seen);
  }
}

async function takeSeries(
  context: PeakQueryContext,
  answer: PastHours & { readonly series: readonly Series[] },
  into: { readonly rows: PeakRows; readonly seen: Set<Hour> },
): Promise<void> {
  const { rows, seen } = into;
  const keys = context.scope.labels[context.source.exporter];
  const take = (series: Series, raise: (hour: Hour, bytes: number) => void): void => {
    for (const [i, timeMs] of series.timesMs.entries()) {
      const bytes = series.values[i];
      // Some backends round times to the step, which is the hour anyway.
      const hour = Math.round(timeMs / hourMs);
      if (bytes === undefined || hour < answer.hours.first || hour > answer.hours.last) continue;
      seen.add(hour);
      raise(hour, bytes);
    }
  };
  const unowned: { key: string; series: Series }[] = [];
  for (const series of answer.series) {
    const key = podKey(series, keys);
    if (key === undefined) continue;
    const row = rows.pods.get(key);
    if (row !== undefined && rows.hasOwner(row)) {
      take(series, (hour, bytes) => rows.raisePod(row, hour, bytes));
    } else {
      unowned.push({ key, series });
    }
  }
  if (unowned.length === 0) return;
  const owners = await askOwners(context, answer);
  for (const { key, series } of unowned) {
    const owner = owners.get(key);
    const row = rows.pods.get(key) ?? (podMayReturn(owner?.kind) ? rows.podRow(key) : undefined);
    if (row !== undefined) {
      if (owner === undefined) rows.setNoOwner(row);
      else rows.setOwner(row, owner.key);
      take(series, (hour, bytes) => rows.raisePod(row, hour, bytes));
    } else {
      take(series, (hour, bytes) => owner && rows.raiseWorkload(owner.key, hour, bytes));
    }
  }
}

/** Workloads by pod key, as they were in the hours. */
async function askOwners(
  context: PeakQueryContext,
  { hours, shard }: PastHours,
): Promise<ReadonlyMap<string, { readonly kind: string; readonly key: string }>> {
  const keys = context.scope.labels.ksm;
  const history = await collectOwnerHistory({
    client: context.client,
    scope: narrow(context.scope, shardMatchers(shard, keys, { pods: false })),
    podMatchers: shardMatchers(shard, keys, { pods: true }),
    range: formatDuration((hours.last - hours.first + 1) * hourMs),
    endMs: hourEndMs(hours.last),
    signal: context.signal,
  });
  const workloadOf = workloadLookup(history);
  const owners = new Map<string, { kind: string; key: string }>();
  for (const pod of history.rows.pods.samples) {
    const key = podKey(pod, keys);
    if (key === undefined) continue;
    const workload = workloadOf(pod);
    const namespace = pod.labels[keys.namespace] ?? '';
    owners.set(key, {
      kind: workload.kind,
      key: workloadRowKey({ cluster: clusterOf(pod, keys), namespace, ...workload }),
    });
  }
  return owners;
}

/** The range in parts of at most `maxHours`, newest first. */
function cutRange({ first, last }: HourRange, maxHours: number): HourRange[] {
  const parts: HourRange[] = [];
  for (let end = last; end >= first; end -= maxHours) {
    parts.push({ first: Math.max(first, end - maxHours + 1), last: end });
  }
  return parts;
}

/** From the first to the last hour that was not seen. */
function rangeWithout({ first, last }: HourRange, seen: ReadonlySet<Hour>): HourRange | undefined {
  let from = first;
  let to = last;
  while (from <= to && seen.has(from)) from++;
  while (to >= from && seen.has(to)) to--;
  return from > to ? undefined : { first: from, last: to };
}
