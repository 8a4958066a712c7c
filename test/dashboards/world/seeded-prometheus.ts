import { startPrometheusWith, type TestPrometheus } from '../../support/prometheus.ts';
import type { Store } from '../proof.ts';
import { worldSeries } from './series.ts';

export interface SeededPrometheus extends Store {
  stop(): Promise<void>;
}

/** A real Prometheus that holds three hours of the small cluster, up to this minute. */
export async function startSeededPrometheus(cluster: string | undefined): Promise<SeededPrometheus> {
  const endSeconds = Math.floor(Date.now() / 60_000) * 60;
  const server: TestPrometheus = await startPrometheusWith(worldSeries({ endSeconds, hours: 3, cluster }));
  return { url: server.url, endSeconds, scrapeIntervalSeconds: 60, stop: () => server.stop() };
}
