import type { PrometheusClient, Series } from '../prometheus/client.ts';
import { isTooLarge, PrometheusError } from '../prometheus/failures.ts';
import { maxBy, type QueryScope, series } from './scope.ts';
import { usageKeys } from './usage-sources.ts';

const hourMs = 3_600_000;
const hoursPerQuestion = 24;

/**
 * Hourly peaks of every container, newest hours first, told piece by piece, so that nobody has to hold a week of a
 * large cluster. Asked only for a review: containers are some three times as many as pods.
 * @param range ends of the first and the last hour, in ms.
 * @throws PrometheusError
 */
export async function collectContainerHours(
  query: { readonly client: PrometheusClient; readonly scope: QueryScope },
  range: { readonly firstEndMs: number; readonly lastEndMs: number },
  take: (rows: readonly Series[]) => void,
): Promise<void> {
  const { client, scope } = query;
  const { container, pod } = scope.labels.cadvisor;
  const selector = series(
    scope,
    'container_memory_working_set_bytes',
    `${container}!=""`,
    `${container}!="POD"`,
    `${pod}!=""`,
  );
  const expression = maxBy([...usageKeys(scope), container], `max_over_time(${selector}[1h])`);
  let hours = hoursPerQuestion;
  let endMs = range.lastEndMs;
  while (endMs >= range.firstEndMs) {
    const startMs = Math.max(range.firstEndMs, endMs - (hours - 1) * hourMs);
    try {
      const answer = await client.range({
        id: 'container_peak_history',
        query: expression,
        startMs,
        endMs,
        stepMs: hourMs,
      });
      take(answer.rows);
      endMs = startMs - hourMs;
    } catch (error) {
      const isTooMuch = isTooLarge(error) || (error instanceof PrometheusError && error.kind === 'timeout');
      if (!isTooMuch || hours === 1) throw error;
      hours = Math.ceil(hours / 2);
    }
  }
}
