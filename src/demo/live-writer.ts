import { setTimeout as delay } from 'node:timers/promises';
import { type SeriesOptions, seriesOf } from './cluster/cluster-series.ts';
import type { DemoCluster } from './cluster/description.ts';
import { remoteWrite } from './remote-write.ts';

export interface LiveWriterOptions {
  readonly url: string;
  readonly cluster: DemoCluster;
  /** What has been written already ends here. */
  readonly writtenToMs: number;
  readonly clock: () => number;
  readonly intervalMs?: number;
  /** How the cluster is scraped; the same as for the history. */
  readonly scrape?: Omit<SeriesOptions, 'startMs' | 'endMs'>;
  /** Told when a write fails; the next one covers its time too. */
  readonly onError: (error: unknown) => void;
}

export interface LiveWriter {
  /** Resolves once the write under way, if any, has ended. */
  stop(): Promise<void>;
}

/** Goes on writing samples as time passes, so that what is asked about "now" stays fresh. The first write is at once. */
export function startLiveWriter(options: LiveWriterOptions): LiveWriter {
  const ending = new AbortController();
  const intervalMs = options.intervalMs ?? 30_000;
  let writtenToMs = options.writtenToMs;
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const endMs = Math.floor(options.clock() / 1000) * 1000;
      if (endMs > writtenToMs) {
        try {
          const range = { ...options.scrape, startMs: writtenToMs + 1, endMs };
          await remoteWrite(seriesOf(options.cluster, range), { url: options.url });
          writtenToMs = endMs;
        } catch (error) {
          if (!ending.signal.aborted) {
            options.onError(error);
          }
        }
      }
      await delay(intervalMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: () => {
      ending.abort();
      return running;
    },
  };
}
