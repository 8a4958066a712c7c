import { silentLogger } from '../../src/foundation/logger.ts';
import { listen, type WebServer } from '../../src/outputs/api/listen.ts';
import { createWebApp } from '../../src/outputs/api/server.ts';
import { createServiceMetrics } from '../../src/outputs/metrics/service-metrics.ts';
import { nothingYet } from '../../src/snapshot/refresh-loop.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

/** The real HTTP server with the built page, over a snapshot that a test has made. */
export function servePage(snapshot: () => Snapshot | undefined, port = 0): Promise<WebServer> {
  const app = createWebApp({
    state: () => {
      const current = snapshot();
      return {
        ...nothingYet,
        ...(current === undefined ? {} : { snapshot: current, lastOutcome: 'ok', lastFinishedAtMs: 1 }),
      };
    },
    packed: () => undefined,
    service: createServiceMetrics({ version: '1.2.3' }),
    clock: () => (snapshot()?.evaluatedAtMs ?? 0) + 1_000,
    monotonicMs: () => performance.now(),
    version: '1.2.3',
    intervalMs: 60_000,
    // A window that knows no pod.
    readPodHours: async () => undefined,
    logger: silentLogger,
  });
  return listen(app, { host: '127.0.0.1', port });
}
