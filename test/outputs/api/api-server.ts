import { compare } from 'bcryptjs';
import { onTestFinished } from 'vitest';
import { type Logger, silentLogger } from '../../../src/foundation/logger.ts';
import { createPasswordCheck } from '../../../src/outputs/api/access/password-check.ts';
import type { WebConfig } from '../../../src/outputs/api/access/web-config.ts';
import { type ListenSettings, listen } from '../../../src/outputs/api/listen.ts';
import type { PodDetailReader } from '../../../src/outputs/api/pod-detail-cache.ts';
import { createWebApp } from '../../../src/outputs/api/server.ts';
import type { PackedText } from '../../../src/outputs/metrics/page.ts';
import { createServiceMetrics } from '../../../src/outputs/metrics/service-metrics.ts';
import { nothingYet, type RefreshState } from '../../../src/snapshot/refresh-loop.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface ApiServer {
  readonly url: string;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  send(path: string, options: RequestInit): Promise<Reply>;
}

export interface ApiOptions {
  readonly readPodDetail?: PodDetailReader;
  readonly state?: Partial<RefreshState>;
  readonly access?: () => WebConfig;
  readonly packed?: () => PackedText | undefined;
  readonly logger?: Logger;
  readonly limits?: Pick<ListenSettings, 'maxConnections' | 'responseTimeoutMs' | 'timeouts'>;
}

/** The real server on a free port, over a snapshot that does not change; it ends with the test. */
export async function startApi(snapshot: Snapshot | undefined, options: ApiOptions = {}): Promise<ApiServer> {
  const state: RefreshState = {
    ...nothingYet,
    ...(snapshot === undefined
      ? {}
      : { snapshot, lastOutcome: 'ok', lastDurationSeconds: 0.5, lastFinishedAtMs: 1 }),
    ...options.state,
  };
  const app = createWebApp({
    state: () => state,
    packed: options.packed ?? (() => undefined),
    service: createServiceMetrics({ version: '1.2.3' }),
    clock: () => (snapshot?.evaluatedAtMs ?? 0) + 1000,
    monotonicMs: () => performance.now(),
    version: '1.2.3',
    intervalMs: 60_000,
    readPodDetail: options.readPodDetail,
    readPodHours: async () => [
      { endsAtMs: 3_600_000, peakBytes: undefined },
      { endsAtMs: 7_200_000, peakBytes: 700 },
    ],
    logger: options.logger ?? silentLogger,
    access:
      options.access === undefined
        ? undefined
        : { access: options.access, passwords: createPasswordCheck(compare) },
  });
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    ...options.limits,
    ...(options.access === undefined ? {} : { access: options.access }),
  });
  onTestFinished(() => server.close());
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(`${server.url}${path}`, init);
    const text = await response.text();
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    return {
      status: response.status,
      type,
      text,
      headers: response.headers,
      body: type.endsWith('json') && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return {
    url: server.url,
    send,
    get: (path) => send(path, {}),
    post: (path, body) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
