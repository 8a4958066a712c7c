import { onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/foundation/logger.ts';
import type { PodDetailReader } from '../../../src/outputs/api/pod-detail-cache.ts';
import { createWebApp, listen } from '../../../src/outputs/api/server.ts';
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
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  send(path: string, options: RequestInit): Promise<Reply>;
}

/** The real server on a free port, over a snapshot that does not change; it ends with the test. */
export async function startApi(
  snapshot: Snapshot | undefined,
  options: { readonly readPodDetail?: PodDetailReader; readonly state?: Partial<RefreshState> } = {},
): Promise<ApiServer> {
  const state: RefreshState = {
    ...nothingYet,
    ...(snapshot === undefined
      ? {}
      : { snapshot, lastOutcome: 'ok', lastDurationSeconds: 0.5, lastFinishedAtMs: 1 }),
    ...options.state,
  };
  const app = createWebApp({
    state: () => state,
    packed: () => undefined,
    service: createServiceMetrics({ version: '1.2.3' }),
    clock: () => (snapshot?.evaluatedAtMs ?? 0) + 1000,
    version: '1.2.3',
    intervalMs: 60_000,
    readPodDetail: options.readPodDetail,
    readPodHours: async () => [
      { endsAtMs: 3_600_000, peakBytes: undefined },
      { endsAtMs: 7_200_000, peakBytes: 700 },
    ],
    logger: silentLogger,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
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
      body: type.endsWith('json') ? JSON.parse(text) : undefined,
    };
  };
  return {
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
