import type { Sample } from '../../prometheus/client.ts';
import { PrometheusError } from '../../prometheus/failures.ts';
import type { Probing } from './probe.ts';

/** Samples of a query that only looks for the cause of something: where it fails, nothing is found. */
export async function askQuietly(
  { client, evaluatedAtMs }: Probing,
  query: string,
): Promise<readonly Sample[]> {
  try {
    return (await client.instant({ id: 'check', query, timeMs: evaluatedAtMs })).rows;
  } catch (error) {
    if (error instanceof PrometheusError) return [];
    throw error;
  }
}
