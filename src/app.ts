import type { Config } from './config/options.ts';
import { type Clock, systemClock } from './foundation/clock.ts';
import type { Logger } from './foundation/logger.ts';
import { queryScope } from './inputs/scope-settings.ts';
import { createPodDetailReader } from './outputs/api/pod-detail-cache.ts';
import { createWebApp, listen, type WebServer } from './outputs/api/server.ts';
import { createServiceMetrics } from './outputs/metrics/service-metrics.ts';
import { connectionSettings } from './prometheus/connection-settings.ts';
import { createPrometheusClient } from './prometheus/http-client.ts';
import { startRefreshThread } from './refresh-thread.ts';

export interface App {
  readonly web: WebServer;
  /** Stops listening, cancels what is under way, and lets the process end. */
  stop(): Promise<void>;
}

/** Composition root: one thread refreshes, this one serves. */
export async function startApp(
  config: Config,
  deps: { readonly version: string; readonly logger: Logger; readonly clock?: Clock },
): Promise<App> {
  const { logger, version, clock = systemClock } = deps;
  const service = createServiceMetrics({ version });
  const thread = startRefreshThread({
    config,
    clock,
    logger,
    onRefresh(state, queries) {
      for (const query of queries) service.queryDone(query);
      service.refreshDone(state);
    },
  });
  // The refreshing thread has a client of its own; this one only asks about single pods.
  const client = createPrometheusClient(connectionSettings(config), { observer: service, logger });
  const app = createWebApp({
    state: thread.state,
    packed: thread.packed,
    service,
    clock,
    version,
    intervalMs: config.refreshIntervalMs,
    readPodHours: thread.podHours,
    readPodDetail: createPodDetailReader({ client, scope: queryScope(config), clock }),
    logger,
  });
  const web = await listen(app, config.listen).catch(async (error: unknown) => {
    client.close();
    await thread.stop();
    throw error;
  });
  logger.info({ url: web.url, version }, 'listening');
  return {
    web,
    async stop() {
      await Promise.all([web.close(), thread.stop()]);
      client.close();
    },
  };
}
