import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from './foundation/clock.ts';
import { createLogger } from './foundation/logger.ts';
import { findApiServer } from './inputs/priority-classes/api-server.ts';
import { configuredClasses, createPriorityClassReader } from './inputs/priority-classes/class-reader.ts';
import { queryScope } from './inputs/scope-settings.ts';
import { type PackedText, packText } from './outputs/metrics/page.ts';
import { renderSnapshot } from './outputs/metrics/render.ts';
import { connectionSettings } from './prometheus/connection-settings.ts';
import { createPrometheusClient } from './prometheus/http-client.ts';
import type { ControlMessage, QueryEvent, RefreshMessage, RefreshWorkerData } from './refresh-messages.ts';
import { refreshOnce } from './snapshot/refresh.ts';
import { createRefreshLoop } from './snapshot/refresh-loop.ts';
import { createSizingKeeper } from './snapshot/sizing-keeper.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { createStageTimes, type StageTimes } from './snapshot/stages.ts';
import { splitSnapshot } from './snapshot/transfer.ts';
import { createHourlyWindow } from './window/hourly-window.ts';

/** The thread that collects, ranks and renders, so that the one that serves never waits for it. */
function runWorker(port: MessagePort, { config }: RefreshWorkerData): void {
  const logger = createLogger(config.logLevel, config.logFormat);
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
  const sizing = createSizingKeeper({
    client,
    scope,
    windowMs: config.windowMs,
    timeoutMs: config.prometheusTimeoutMs,
  });
  const priorityClasses = config.kubernetesPriorityClasses
    ? createPriorityClassReader({
        server: findApiServer(process.env),
        configured: config.priorityClasses,
      })
    : configuredClasses(config.priorityClasses);
  const settings = {
    threshold: config.kubeletMemoryThreshold,
    windowMs: config.windowMs,
    requestMargin: config.reviewMargin,
    hasClusterLabel: config.clusterLabel !== undefined,
  };
  const render = { disabledFamilies: new Set(config.metricsDisabled), maxRank: config.metricsMaxRank };
  const send = (message: RefreshMessage, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);

  /** Other messages come in between. */
  async function untilNext(): Promise<void> {
    for (;;) {
      const [{ kind }] = (await once(port, 'message')) as [ControlMessage];
      if (kind === 'next' || kind === 'stop') return;
    }
  }

  async function publish(snapshot: Snapshot, stages: StageTimes, startedAt: number): Promise<void> {
    const packed = await stages.measure('render', () => packText(renderSnapshot(snapshot, render)));
    await stages.measure('handOver', () => handOver(snapshot, packed, startedAt));
  }

  async function handOver(snapshot: Snapshot, packed: PackedText, startedAt: number): Promise<void> {
    const { head, pieces } = splitSnapshot(snapshot);
    for (const piece of pieces) {
      send({ kind: 'piece', piece });
      await untilNext();
    }
    const ageMs = performance.now() - startedAt;
    send({ kind: 'published', head, packed, ageMs }, [head.figures.buffer, packed.deflated.buffer]);
  }

  const loop = createRefreshLoop({
    async refresh(evaluatedAtMs, signal) {
      const startedAt = performance.now();
      const stages = createStageTimes(undefined, (stage) => logger.debug({ stage }, 'refreshing'));
      const { values, failure } = await priorityClasses.read(evaluatedAtMs, signal);
      const snapshot = await refreshOnce(
        {
          client,
          scope,
          window,
          sizing,
          priorityClasses: values,
          priorityClassFailure: failure,
          settings,
          stages,
        },
        evaluatedAtMs,
        signal,
      );
      await publish(snapshot, stages, startedAt);
      await stages.measure('save', () => window.saveIfDue());
      return { ...figuresOf(snapshot), stageSeconds: stages.seconds() };
    },
    intervalMs: config.refreshIntervalMs,
    clock: systemClock,
    logger,
    onRefresh: (outcome) => send({ kind: 'done', outcome, queries: queries.splice(0) }),
  });

  port.on('message', (message: ControlMessage) => {
    if (message.kind === 'podHours') {
      send({ kind: 'podHours', id: message.id, hours: window.podHours(message.pod) });
    } else if (message.kind === 'stop') {
      void stop();
    }
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
function figuresOf({ nodes, problems, windowCoverageRatio }: Snapshot) {
  return {
    nodes: nodes.length,
    incompleteNodes: nodes.filter(({ complete }) => !complete).length,
    pods: nodes.reduce((sum, { pods }) => sum + pods.length, 0),
    problems: problems.length,
    windowCoverageRatio,
  };
}

if (parentPort !== null) runWorker(parentPort, workerData as RefreshWorkerData);
