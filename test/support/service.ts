import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';

export interface TestService extends ChildServer {
  readonly url: string;
  /** Body of a GET, and its status. */
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: string; headers: Headers }>;
  json<T>(path: string): Promise<T>;
  /** Waits until `holds` is true of the status; rejects after `timeoutMs` with the last status seen. */
  statusWhen(holds: (status: ServiceStatus) => boolean, timeoutMs?: number): Promise<ServiceStatus>;
}

export interface ServiceStatus {
  readonly ready: boolean;
  readonly stale: boolean;
  readonly lastRefresh: {
    readonly outcome: string | null;
    readonly error: string | null;
    readonly finishedAt: string;
  };
  readonly data: null | {
    readonly evaluatedAt: string;
    readonly ageSeconds: number;
    readonly pods: number;
    readonly incompleteNodes: number;
    readonly windowCoverageRatio: number;
    readonly problems: readonly { kind: string; subject: string; message: string; remedy: string }[];
    readonly inputs: readonly { id: string; outcome: string; source: string | null; series: number }[];
  };
}

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Starts the built service on a free loopback port. `until` is the path that must answer 2xx first. */
export async function startTestService(
  prometheusUrl: string,
  options: {
    flags?: readonly string[];
    until?: string;
    port?: number;
    environment?: NodeJS.ProcessEnv;
    /** What starts the program instead of the shell: it is given the program and its arguments. */
    within?: readonly string[];
  } = {},
): Promise<TestService> {
  const port = options.port ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const server = await startChildServer({
    name: 'evictrank',
    command: options.within?.[0] ?? process.execPath,
    args: [
      ...(options.within === undefined ? [] : [...options.within.slice(1), process.execPath]),
      main,
      'serve',
      `--prometheus.url=${prometheusUrl}`,
      `--web.listen-address=127.0.0.1:${port}`,
      ...(options.flags ?? []),
    ],
    readyUrl: `${url}${options.until ?? '/-/ready'}`,
    startTimeoutMs: 60_000,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
  });

  const get: TestService['get'] = async (path, headers = {}) => {
    const response = await fetch(`${url}${path}`, { headers });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const json = async <T>(path: string): Promise<T> => JSON.parse((await get(path)).body) as T;

  async function statusWhen(
    holds: (status: ServiceStatus) => boolean,
    timeoutMs = 30_000,
  ): Promise<ServiceStatus> {
    const giveUpAt = performance.now() + timeoutMs;
    for (;;) {
      const status = await json<ServiceStatus>('/api/v1/status');
      if (holds(status)) return status;
      if (performance.now() > giveUpAt) throw new Error(`still not so: ${JSON.stringify(status, null, 1)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  return { ...server, url, get, json, statusWhen };
}
