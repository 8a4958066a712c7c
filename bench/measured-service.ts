import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '../src/demo/child-server.ts';
import { findFreePort } from '../src/demo/loopback.ts';
import type { RefreshStage } from '../src/snapshot/stages.ts';

/** What the log says of one refresh. */
export interface RefreshLine {
  /** When it ended, as ISO text. */
  readonly time: string;
  readonly durationSeconds: number;
  readonly pods: number;
  readonly nodes: number;
  readonly windowCoverageRatio: number;
  readonly stageSeconds: Readonly<Partial<Record<RefreshStage, number>>>;
}

/** What the probe inside of the service says. */
export interface ProbeFigures {
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly rssBytes: number;
  readonly maxRssBytes: number;
  readonly cpuSeconds: number;
}

/** The built service as its own process, with a probe loaded into it. */
export interface MeasuredService extends ChildServer {
  readonly url: string;
  readonly refreshIntervalMs: number;
  /** Reads the probe; its event-loop delays are those since the last reset. */
  probe(reset?: 'reset'): Promise<ProbeFigures>;
  /** The next refresh that ends well; rejects once none has for ten minutes. */
  nextRefresh(): Promise<RefreshLine>;
}

const longestRefreshMs = 600_000;
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export async function startMeasuredService(
  prometheusUrl: string,
  options: { readonly refreshIntervalSeconds: number; readonly flags?: readonly string[] },
): Promise<MeasuredService> {
  const [port, probePort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const server = await startChildServer({
    name: 'evictrank',
    command: process.execPath,
    args: [
      `--import=${fileOf('service-probe.mjs')}`,
      fileOf('../dist/main.js'),
      'serve',
      `--prometheus.url=${prometheusUrl}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--refresh.interval=${options.refreshIntervalSeconds}s`,
      ...(options.flags ?? []),
    ],
    readyUrl: `${url}/-/healthy`,
    environment: { BENCH_PROBE_PORT: String(probePort) },
  });

  let seen = '';
  async function nextRefresh(): Promise<RefreshLine> {
    const giveUpAt = performance.now() + longestRefreshMs;
    for (;;) {
      const line = refreshLines(server.output()).find(({ time }) => time > seen);
      if (line !== undefined) {
        seen = line.time;
        return line;
      }
      if (performance.now() > giveUpAt || (await isGone(server))) {
        throw new Error(`the service has not refreshed: ${server.output()}`);
      }
      await delay(20);
    }
  }

  return {
    ...server,
    url,
    refreshIntervalMs: options.refreshIntervalSeconds * 1000,
    async probe(reset) {
      const response = await fetch(`http://127.0.0.1:${probePort}/${reset ?? ''}`);
      return (await response.json()) as ProbeFigures;
    },
    nextRefresh,
  };
}

function refreshLines(output: string): RefreshLine[] {
  return output.split('\n').flatMap((text) => {
    if (!text.startsWith('{') || !text.endsWith('}')) return [];
    const line = JSON.parse(text) as RefreshLine & { readonly msg: string };
    return line.msg === 'refreshed' ? [line] : [];
  });
}

function isGone(server: ChildServer): Promise<boolean> {
  return Promise.race([server.gone.then(() => true), delay(0).then(() => false)]);
}
