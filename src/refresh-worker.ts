import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from './foundation/clock.ts';
import { createLogger } from './foundation/logger.ts';
import { queryScope } from './inputs/scope-settings.ts';
import { packText } from './outputs/metrics/page.ts';
import { renderSnapshot } from './outputs/metrics/render.ts';
import { connectionSettings } from './prometheus/connection-settings.ts';
import { createPrometheusClient } from './prometheus/http-client.ts';
import type { ControlMessage, QueryEvent, RefreshMessage, RefreshWorkerData } from './refresh-messages.ts';
import { refreshOnce } from './snapshot/refresh.ts';
import { createRefreshLoop } from './snapshot/refresh-loop.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { splitSnapshot } from './snapshot/transfer.ts';
import { createHourlyWindow } from './window/hourly-window.ts';

/** The thread that collects, ranks and renders, so that the one that serves never waits for it. */
function runWorker(port: MessagePort, { config }: RefreshWorkerData): void {
  const logger = createLogger(config.logLevel);
  const queries: QueryEvent[] = [];
  const client = createPrometheusClient(connectionSettings(config), {
    observer: { queryDone: (event) => queries.push(event) },
    logger,
  });
  const scope = queryScope(config);
  const window = createHourlyWindow({
    client,
    scope,
    windowMs: config.windowMs,
    file: config.windowFile,
    backend: `${config.prometheusUrl} ${config.prometheusTenant ?? ''}`,
    logger,
  });
  const settings = {
    threshold: config.kubeletMemoryThreshold,
    windowMs: config.windowMs,
    requestMargin: config.reviewMargin,
    hasClusterLabel: config.clusterLabel !== undefined,
  };
  const render = { disabledFamilies: new Set(config.metricsDisabled), maxRank: config.metricsMaxRank };
  const send = (message: RefreshMessage, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);

  async function publish(snapshot: Snapshot): Promise<void> {
    const packed = await packText(renderSnapshot(snapshot, render));
    const { head, pieces } = splitSnapshot(snapshot);
    for (const nodes of pieces) {
      send({ kind: 'nodes', nodes });
      await once(port, 'message');
    }
    send({ kind: 'published', head, packed }, [packed.deflated.buffer]);
  }

  const loop = createRefreshLoop({
    async refresh(evaluatedAtMs, signal) {
      const snapshot = await refreshOnce(
        { client, scope, window, priorityClasses: config.priorityClasses, settings },
        evaluatedAtMs,
        signal,
      );
      await publish(snapshot);
      await window.saveIfDue();
      return figuresOf(snapshot);
    },
    intervalMs: config.refreshIntervalMs,
    clock: systemClock,
    logger,
    onRefresh: (outcome) => send({ kind: 'done', outcome, queries: queries.splice(0) }),
  });

  port.on('message', (message: ControlMessage) => {
    if (message.kind !== 'stop') return;
    void stop();
  });

  async function stop(): Promise<void> {
    await loading;
    await loop.stop();
    await window.save();
    client.close();
    send({ kind: 'stopped' });
    port.close();
  }

  const loading = window.load().then(loop.start);
}

/** What one line of the log says of a refresh. */
function figuresOf({ nodes, problems, windowCoverageRatio }: Snapshot): Record<string, number> {
  return {
    nodes: nodes.length,
    incompleteNodes: nodes.filter(({ complete }) => !complete).length,
    pods: nodes.reduce((sum, { pods }) => sum + pods.length, 0),
    problems: problems.length,
    windowCoverageRatio,
  };
}

if (parentPort !== null) runWorker(parentPort, workerData as RefreshWorkerData);
