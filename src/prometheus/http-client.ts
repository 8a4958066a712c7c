import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Clock, systemClock } from '../foundation/clock.ts';
import { type Logger, silentLogger } from '../foundation/logger.ts';
import { type AnswerReader, createAnswerReader } from './answer-reader.ts';
import { acceptAnswer } from './classification.ts';
import type { Answer, PrometheusClient, QueryObserver } from './client.ts';
import {
  type ConnectionSettings,
  ConnectionSettingsError,
  connectionProblems,
  parseUrl,
} from './connection.ts';
import { readCredentials, settledSecrets } from './credentials.ts';
import { DIALECTS } from './dialects/by-name.ts';
import { FailureSignal, PrometheusError } from './failures.ts';
import { createInterruption, type Interruption } from './interruption.ts';
import { apiUrl, buildForm, instantCall, type QueryCall, rangeCall } from './query-call.ts';
import { createRedact, describeUrl, type Redact } from './redaction.ts';
import { type Envelope, parseStats } from './response.ts';
import { retryDelayMs } from './retry.ts';
import { createTransport } from './transport.ts';

export interface ClientDependencies {
  readonly observer?: QueryObserver;
  readonly logger?: Logger;
  /** Wall clock, for a `Retry-After` that is a date. */
  readonly clock?: Clock;
  /** Never goes back, unlike the wall clock: durations and time limits are measured with it. */
  readonly monotonicMs?: () => number;
  /** Waits before a retry; must reject once the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A client that holds connections, which end with `close()`; queries under way then fail as `canceled`. */
export interface HttpPrometheusClient extends PrometheusClient {
  close(): void;
}

/**
 * A client of one Prometheus-like backend. Throws `ConnectionSettingsError` for settings that contradict each other;
 * its methods reject with `PrometheusError` only.
 */
export function createPrometheusClient(
  settings: ConnectionSettings,
  dependencies: ClientDependencies = {},
): HttpPrometheusClient {
  const problems = connectionProblems(settings);
  const base = parseUrl(settings.url);
  if (problems.length > 0 || base === undefined) throw new ConnectionSettingsError(problems);
  return connect(settings, base, dependencies);
}

function connect(
  settings: ConnectionSettings,
  base: URL,
  dependencies: ClientDependencies,
): HttpPrometheusClient {
  const {
    observer,
    logger = silentLogger,
    clock = systemClock,
    monotonicMs = () => performance.now(),
    sleep = (ms, signal) => delay(ms, undefined, { signal }),
  } = dependencies;
  const dialect = DIALECTS[settings.dialect];
  const shownUrl = describeUrl(base);
  const redactSettled = createRedact(settledSecrets(settings, base));
  const transport = createTransport(settings, clock);
  const limit = pLimit(settings.concurrency);
  const underWay = new Set<Interruption>();
  let closed = false;
  if (settings.tls?.insecureSkipVerify === true) {
    logger.warn({ url: shownUrl }, 'the certificate of the backend is not verified');
  }

  function toPrometheusError(
    error: unknown,
    query: { id: string; run: Interruption; redact: Redact },
  ): PrometheusError {
    if (error instanceof PrometheusError) return error;
    const failure = query.run.reason() ??
      (error instanceof FailureSignal ? error.failure : undefined) ?? {
        kind: 'backend_failed' as const,
        detail: error instanceof Error ? error.message : String(error),
      };
    return new PrometheusError(
      { ...failure, detail: query.redact(failure.detail) },
      { id: query.id, url: shownUrl },
    );
  }

  /** One request and its answer. Rejects with `PrometheusError`, cleared of every secret. */
  async function attempt<Row>(
    call: QueryCall<Row>,
    run: Interruption,
    remainingMs: number,
  ): Promise<Answer<Row>> {
    let redact = redactSettled;
    try {
      const form = buildForm(call, dialect, remainingMs);
      const { headers, secrets } = await readCredentials(settings, base);
      redact = createRedact(secrets);
      const reader = createAnswerReader(call.parse);
      const answer = await transport.post({
        url: apiUrl(base, call.path),
        form,
        headers,
        signal: run.signal,
        reader,
      });
      const { clockAheadMs } = answer;
      return finishAnswer(acceptAnswer(answer, dialect), { call, reader, redact, clockAheadMs });
    } catch (error) {
      throw toPrometheusError(error, { id: call.id, run, redact });
    }
  }

  async function attemptUntilDone<Row>(call: QueryCall<Row>, run: Interruption): Promise<Answer<Row>> {
    run.start(settings.timeoutMs);
    const deadlineMs = monotonicMs() + settings.timeoutMs;
    for (let count = 1; ; count += 1) {
      try {
        return await attempt(call, run, deadlineMs - monotonicMs());
      } catch (error) {
        if (!(error instanceof PrometheusError)) throw error;
        const remainingMs = deadlineMs - monotonicMs();
        const delayMs = retryDelayMs(error, { ...settings.retries, attempt: count, remainingMs });
        if (delayMs === undefined) throw error;
        logger.warn({ query: call.id, kind: error.kind, attempt: count, delayMs }, error.message);
        run.askedAgainAfter(error.detail);
        await sleep(delayMs, run.signal);
      }
    }
  }

  async function observe<Row>(call: QueryCall<Row>, run: Interruption): Promise<Answer<Row>> {
    const startedMs = monotonicMs();
    const report = (outcome: 'ok' | 'failed', samplesRead: number | undefined): void => {
      const durationSeconds = (monotonicMs() - startedMs) / 1000;
      observer?.queryDone({ id: call.id, durationSeconds, outcome, samplesRead });
    };
    try {
      const answer = await (run.reason() === undefined ? attemptUntilDone(call, run) : run.rejection);
      report('ok', answer.stats?.totalQueryableSamples);
      return answer;
    } catch (error) {
      report('failed', undefined);
      throw error;
    }
  }

  async function ask<Row>(call: QueryCall<Row>): Promise<Answer<Row>> {
    const run = createInterruption(call.signal);
    if (closed) run.cancel();
    underWay.add(run);
    try {
      // A canceled query that still waits for its place ends at once; in its turn it then does nothing.
      return await Promise.race([limit(() => observe(call, run)), run.rejection]);
    } catch (error) {
      throw toPrometheusError(error, { id: call.id, run, redact: redactSettled });
    } finally {
      underWay.delete(run);
      run.dispose();
    }
  }

  return {
    instant: (query) => ask(instantCall(query)),
    range: (query) => ask(rangeCall(query)),
    close() {
      closed = true;
      for (const run of underWay) run.cancel();
      transport.close();
    },
  };
}

/** Reads the last rows, which the envelope still holds. */
function finishAnswer<Row>(
  envelope: Envelope,
  {
    call,
    reader,
    redact,
    clockAheadMs,
  }: { call: QueryCall<Row>; reader: AnswerReader<Row>; redact: Redact } & Pick<Answer<Row>, 'clockAheadMs'>,
): Answer<Row> {
  const last = call.parse(envelope.data, reader.rows.length + reader.droppedPoints);
  for (const row of last.rows) reader.rows.push(row);
  return {
    rows: reader.rows,
    droppedPoints: reader.droppedPoints + last.droppedPoints,
    droppedLabels: [...reader.droppedLabels, ...last.droppedLabels],
    warnings: envelope.warnings.map(redact),
    infos: envelope.infos.map(redact),
    stats: parseStats(envelope.data),
    clockAheadMs,
  };
}
