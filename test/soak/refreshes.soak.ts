import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { silentLogger } from '../../src/foundation/logger.ts';
import type { startRefreshThread as StartRefreshThread } from '../../src/refresh-thread.ts';
import { smallCluster } from '../support/wire-cluster.ts';

/** The built one: a thread needs a file that Node can run. */
const built: { startRefreshThread: typeof StartRefreshThread } = await import(
  new URL('../../dist/refresh-thread.js', import.meta.url).href
);

interface Reading {
  readonly refreshes: number;
  readonly residentMib: number;
  readonly handles: number;
  readonly seconds: number;
}

/** Refreshes before the first reading: heaps and caches have their size by then. */
const warmUp = 800;
const refreshes = 3_000;

it(`does not grow over ${refreshes} refreshes in a row, a good part of which fail`, {
  timeout: 600_000,
}, async () => {
  let requests = 0;
  const answer = smallCluster();
  const backend = createServer((request, response) => {
    requests++;
    if (Math.floor(requests / 20) % 10 === 0)
      response.writeHead(422).end('{"status":"error","errorType":"execution","error":"no"}');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  // Below the shortest interval the settings allow: one refresh after the other.
  const config = {
    ...loadConfig({ flags: { 'prometheus.url': url, 'log.level': 'silent' }, environment: {} }),
    refreshIntervalMs: 1,
  };

  const readings: Reading[] = [];
  const outcomes = { ok: 0, failed: 0 };
  const startedAt = performance.now();
  await new Promise<void>((resolve) => {
    const thread = built.startRefreshThread({
      config,
      clock: Date.now,
      logger: silentLogger,
      onRefresh({ lastOutcome }) {
        outcomes[lastOutcome ?? 'failed']++;
        const done = outcomes.ok + outcomes.failed;
        if (done >= warmUp && done % 400 === 0) {
          readings.push({
            refreshes: done,
            residentMib: Math.round(process.memoryUsage.rss() / 2 ** 20),
            handles: process.getActiveResourcesInfo().length,
            seconds: Math.round((performance.now() - startedAt) / 1000),
          });
        }
        if (done === refreshes) void thread.stop().then(() => resolve());
      },
    });
  });
  backend.closeAllConnections();
  await new Promise((resolve) => backend.close(resolve));

  console.table(readings);
  console.log(outcomes);
  const [first, ...later] = readings;
  const last = later.at(-1);
  expect(outcomes.failed).toBeGreaterThan(refreshes / 20);
  expect(outcomes.ok).toBeGreaterThan(refreshes / 2);
  // A listener, timer or connection kept per refresh would show a thousand times over.
  expect(last?.handles).toBeLessThanOrEqual((first?.handles ?? 0) + 10);
  expect(last?.residentMib).toBeLessThan((first?.residentMib ?? 0) * 1.2);
});
