import type { PrometheusClient, Series } from '../prometheus/client.ts';
import { isTooMuch } from '../prometheus/failures.ts';
import { maxBy, narrow, type QueryScope, series } from './scope.ts';
import { type KnownPods, type Shard, shardMatchers, splitShard, wholeShard } from './shard.ts';
import { usageKeys } from './usage-sources.ts';

const hourMs = 3_600_000;
/** Points of an answer to read and hold at once. */
const mostAnswerPoints = 1_000_000;
const mostHours = 24;
/** Containers of a pod that runs a few sidecars. */
const containersPerPod = 3;

/** One row, for those who ask what is read. */
export const containerHoursInput = {
  metrics: ['container_memory_working_set_bytes'],
  cost: 'peaks of containers are not shown, and patches share out by request',
} as const;

interface Range {
  /** Ends of the first and the last hour. */
  readonly firstEndMs: number;
  readonly lastEndMs: number;
}

/**
 * Hourly peaks of every container, newest hours first, told piece by piece, so that nobody has to hold a week of a
 * large cluster. Asked only for a review: containers are some three times as many as pods. What is too much is asked
 * for in fewer hours, and then in parts of the pods; a piece may be told twice.
 * @throws PrometheusError
 */
export async function collectContainerHours(
  query: { readonly client: PrometheusClient; readonly scope: QueryScope; readonly knownPods: KnownPods },
  range: Range,
  take: (rows: readonly Series[]) => void,
): Promise<void> {
  const { knownPods } = query;
  const pods = [...knownPods.values()].reduce((sum, names) => sum + names.length, 0);
  let hours = Math.min(
    mostHours,
    Math.max(1, Math.floor(mostAnswerPoints / Math.max(1, pods * containersPerPod))),
  );
  const queue: { readonly shard: Shard; readonly endMs: number }[] = [
    { shard: wholeShard, endMs: range.lastEndMs },
  ];
  for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
    const { shard, endMs } = piece;
    const startMs = Math.max(range.firstEndMs, endMs - (hours - 1) * hourMs);
    try {
      take(await askHours(query, shard, { startMs, endMs }));
      if (startMs > range.firstEndMs) queue.unshift({ shard, endMs: startMs - hourMs });
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      const halves = hours > 1 ? [shard] : splitShard(shard, knownPods);
      if (halves === undefined) throw error;
      hours = Math.ceil(hours / 2);
      queue.unshift(...halves.map((half) => ({ shard: half, endMs })));
    }
  }
}

async function askHours(
  { client, scope }: { readonly client: PrometheusClient; readonly scope: QueryScope },
  shard: Shard,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<readonly Series[]> {
  const keys = scope.labels.cadvisor;
  const selector = series(
    narrow(scope, shardMatchers(shard, keys, { pods: true })),
    containerHoursInput.metrics[0],
    `${keys.container}!=""`,
    `${keys.container}!="POD"`,
    `${keys.pod}!=""`,
  );
  const answer = await client.range({
    id: 'container_peak_history',
    query: maxBy([...usageKeys(scope), keys.container], `max_over_time(${selector}[1h])`),
    startMs,
    endMs,
    stepMs: hourMs,
  });
  return answer.rows;
}
