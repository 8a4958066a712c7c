import type { WrittenSeries } from '../src/demo/remote-write.ts';
import type { BenchCluster } from './cluster.ts';
import { type WireRule, wireRules } from './wire-answers.ts';

/** The series that a real Prometheus must hold to answer as the wire server does, at the last of the times. */
export function* storedSeries(
  cluster: BenchCluster,
  timesMs: readonly number[],
  isWanted: (stored: NonNullable<WireRule['stored']>) => boolean = () => true,
): Generator<WrittenSeries> {
  for (const { stored, rows } of wireRules) {
    if (stored === undefined || !isWanted(stored)) continue;
    for (const [labels, value] of rows(cluster, timesMs.at(-1) ?? 0)) {
      yield {
        labels: { __name__: stored.metric, ...stored.labels, ...labels },
        timesMs,
        values: timesMs.map(() => value),
      };
    }
  }
}
