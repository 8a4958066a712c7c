import type { Config } from './config/options.ts';
import { type Clock, systemClock } from './foundation/clock.ts';
import type { Logger } from './foundation/logger.ts';
import { queryScope } from './inputs/scope-settings.ts';
import { createPasswordCheck } from './outputs/api/access/password-check.ts';
import { createPasswordThread } from './outputs/api/access/password-thread.ts';
import { watchWebConfig } from './outputs/api/access/web-config-watch.ts';
import { listen, type WebServer } from './outputs/api/listen.ts';
import { createPodDetailReader } from './outputs/api/pod-detail-cache.ts';
import { createWebApp } from './outputs/api/server.ts';
import { createServiceMetrics } from './outputs/metrics/service-metrics.ts';
import { connectionSettings } from './prometheus/connection-settings.ts';
import { createPrometheusClient } from './prometheus/http-client.ts';
import { startRefreshThread } from './refresh-thread.ts';

export interface App {
  readonly web: WebServer;
  /** Stops listening, cancels what is under way, and lets the process end; false where it will not end by itself. */
  stop(): Promise<boolean>;
}

/**
 * Composition root: one thread refreshes, this one serves.
 * @throws ConfigError for a web configuration that cannot be used, ListenError
 */
export async function startApp(
  config: Config,
  deps: { readonly version: string; readonly logger: Logger; readonly clock?: Clock },
): Promise<App> {
  const { logger, version, clock = systemClock } = deps;
  let web: WebServer | undefined;
  const access = await watchWebConfig({
    file: config.webConfigFile,
    logger,
    onChange: () => web?.accessChanged(),
  });
  const passwords = createPasswordThread();
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
    monotonicMs: () => performance.now(),
    version,
    intervalMs: config.refreshIntervalMs,
    readPodHours: thread.podHours,
    readPodDetail: createPodDetailReader({ client, scope: queryScope(config), clock }),
    logger,
    access: { access: access.current, passwords: createPasswordCheck(passwords.compare) },
  });
  web = await listen(app, {
    ...config.listen,
    maxConnections: config.webMaxConnections,
    responseTimeoutMs: config.webResponseTimeoutMs,
    access: access.current,
    logger,
  }).catch(async (error: unknown) => {
    access.stop();
    client.close();
    await thread.stop();
    throw error;
  });
  logger.info({ url: web.url, version }, 'listening');
  const listening = web;
  return {
    web: listening,
    async stop() {
      access.stop();
      const [hasEnded] = await Promise.all([thread.stop(), listening.close()]);
      await passwords.stop();
      client.close();
      return hasEnded;
    },
  };
}
