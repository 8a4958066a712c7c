import type { KnownPods } from '../inputs/shard.ts';
import { podKey } from '../model/keys.ts';
import { isTooMuch } from '../prometheus/failures.ts';
import type { Coverage } from './coverage.ts';
import { type HourRange, type HourSegment, hourOf, hourStartMs, lastEndedHour, splitByHour } from './hour.ts';
import { askSegment, type PeakQueryContext } from './peak-query.ts';
import type { PeakRows } from './peak-rows.ts';
import type { Sharding } from './sharding.ts';

/** How far the window has come. */
export interface Progress {
  /** Up to here everything since `steadySinceMs` has been asked for. */
  readonly askedUntilMs: number;
  readonly steadySinceMs: number;
}

/**
 * Asked again at each refresh, for samples that arrive late: a scrape interval. Longer ones than two minutes are not
 * usual, for a series is taken to have ended five minutes after its last sample.
 */
const overlapMs = 2 * 60_000;
/** After a longer break the hours are backfilled: pods may have come and gone in it without anyone noting whose they were. */
const longestBreakMs = 10 * 60_000;

/** Steps of the wall clock up to this are made good by the overlap. */
const harmlessStepMs = overlapMs / 2;
/** Hours asked for again once a clock that was ahead has been put right. */
const hoursDoubted = 24;

/** What to ask for at one refresh. */
export interface RecentPlan {
  readonly segments: readonly HourSegment[];
  /** The progress made once all segments are answered. */
  readonly progress: Progress;
  /** Hours that were asked for before all of their samples were there, and that nobody followed since. */
  readonly doubtful: HourRange | undefined;
}

/**
 * Asks for the time since the last good refresh, or, after a break, for the running hour from its start.
 * @param clockStepMs how far the wall clock was set since the last refresh, as the monotonic clock tells.
 */
export function planRecent(timeMs: number, last: Progress | undefined, clockStepMs: number): RecentPlan {
  const sinceLastMs = timeMs - (last?.askedUntilMs ?? Number.NEGATIVE_INFINITY);
  const clockWentBack = sinceLastMs < 0 || clockStepMs < -harmlessStepMs;
  const isSteady = !clockWentBack && clockStepMs <= harmlessStepMs && sinceLastMs <= longestBreakMs;
  if (last !== undefined && isSteady) {
    return {
      segments: splitByHour(last.askedUntilMs - overlapMs, timeMs),
      progress: { askedUntilMs: timeMs, steadySinceMs: last.steadySinceMs },
      doubtful: undefined,
    };
  }
  const lastEnded = lastEndedHour(timeMs);
  // A clock that went back may have been ahead for a while.
  const firstDoubtful = clockWentBack
    ? lastEnded - hoursDoubted + 1
    : lastEndedHour((last?.askedUntilMs ?? timeMs) - overlapMs) + 1;
  return {
    segments: splitByHour(hourStartMs(hourOf(timeMs)), timeMs),
    progress: { askedUntilMs: timeMs, steadySinceMs: timeMs },
    doubtful: last === undefined ? undefined : { first: firstDoubtful, last: lastEnded },
  };
}

/**
 * Takes the maxima of the segments into the rows, then marks as covered the hours that have ended and were followed
 * from their start to their end. An hour with data of pods nobody named a workload for is left to the backfill, which
 * asks who owned them.
 * @throws PrometheusError; what was answered before it stays, for taking a maximum twice changes nothing.
 */
export async function followRecent(
  context: PeakQueryContext,
  plan: RecentPlan,
  parts: {
    readonly rows: PeakRows;
    readonly coverage: Coverage;
    readonly sharding: Sharding;
    readonly known: () => KnownPods;
    /** Owners of pods that have finished, by pod key. */
    readonly finishedOwners: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { rows, coverage } = parts;
  for (const segment of plan.segments) await followSegment(context, segment, parts);
  const lastEnded = lastEndedHour(plan.progress.askedUntilMs);
  for (const { hour } of plan.segments) {
    const wasFollowed = hour <= lastEnded && plan.progress.steadySinceMs <= hourStartMs(hour);
    if (wasFollowed && !rows.hasUnownedData(hour)) coverage.cover({ first: hour, last: hour });
  }
}

async function followSegment(
  context: PeakQueryContext,
  segment: HourSegment,
  parts: Pick<Parameters<typeof followRecent>[2], 'rows' | 'sharding' | 'known' | 'finishedOwners'>,
): Promise<void> {
  const { rows, sharding, known, finishedOwners } = parts;
  const keys = context.scope.labels[context.source.exporter];
  const queue = [...sharding.shards()];
  for (let shard = queue.shift(); shard !== undefined; shard = queue.shift()) {
    try {
      for (const sample of await askSegment(context, segment, shard)) {
        const key = podKey(sample, keys);
        if (key === undefined) continue;
        const row = rows.podRow(key);
        const owner = finishedOwners.get(key);
        if (owner !== undefined && !rows.isLiving(row)) rows.setOwner(row, owner);
        rows.raisePod(row, segment.hour, sample.value);
      }
    } catch (error) {
      const smaller = isTooMuch(error) ? sharding.replace(shard, known()) : undefined;
      // Timeouts in a row would take longer than a refresh may: the smaller questions are for the next one.
      if (smaller === undefined || (isTooMuch(error) && error.kind === 'timeout')) throw error;
      queue.unshift(...smaller);
    }
  }
}
