import { writeFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import { checkLimits } from './limit-checks.ts';
import { type MeasuredService, startMeasuredService } from './measured-service.ts';
import { readLoadOptions } from './options.ts';
import { describeMachine, table } from './report.ts';
import { startSlowReaders } from './slow-readers.ts';
import { startWireServer } from './start-wire-server.ts';

const size = { pods: 10_000, nodes: 334 };
const clients = 50;
const slowReaders = 50;
const maxConnections = 200;

interface Load {
  readonly name: string;
  readonly path: string;
}

interface LoadFigures extends Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly megabytesPerSecond: number;
  /** Answers other than 2xx, broken connections and timeouts. */
  readonly failures: number;
}

/** 50 clients at once on 10,000 pods, with a refresh every five seconds; see `readLoadOptions`. */
export async function run(args: string[]): Promise<void> {
  const { seconds, json } = readLoadOptions(args);
  const backend = await startWireServer(size);
  try {
    const service = await startMeasuredService(backend.url, {
      refreshIntervalSeconds: 5,
      flags: [`--web.max-connections=${maxConnections}`],
    });
    try {
      const report = await measure(service, seconds);
      if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
    } finally {
      await service.stop();
    }
  } finally {
    await backend.stop();
  }
}

async function measure(service: MeasuredService, seconds: number): Promise<object> {
  let line = await service.nextRefresh();
  while (line.windowCoverageRatio < 1) line = await service.nextRefresh();
  const { nodes } = (await (await fetch(`${service.url}/api/v1/nodes`)).json()) as {
    nodes: { node: string }[];
  };
  const loads: readonly Load[] = [
    { name: 'scrape', path: '/metrics' },
    { name: 'nodes', path: '/api/v1/nodes' },
    { name: 'one node', path: `/api/v1/nodes/${nodes[0]?.node}` },
    { name: 'a page of pods', path: '/api/v1/pods?limit=100' },
    { name: 'status', path: '/api/v1/status' },
  ];
  const alone: LoadFigures[] = [];
  for (const load of loads) alone.push(await put(load, service.url, seconds));

  const slow = startSlowReaders(service.url, slowReaders);
  const beside: LoadFigures[] = [];
  for (const load of loads.slice(0, 2)) {
    beside.push(
      await put({ ...load, name: `${load.name}, beside ${slowReaders} slow readers` }, service.url, seconds),
    );
  }
  const connected = slow.connected();
  slow.stop();
  const limits = await checkLimits(service.url, maxConnections);
  const { maxRssBytes } = await service.probe();

  const machine = describeMachine();
  const all = [...alone, ...beside];
  console.log(
    `${machine}\n${size.pods} pods, ${clients} clients at once, ${seconds} s each, a refresh every 5 s\n`,
  );
  console.log(
    table(
      ['', 'requests/s', 'p50', 'p99', 'max', 'MB/s', 'failures'],
      all.map((one) => [
        one.name,
        one.requestsPerSecond.toFixed(0),
        `${one.p50Ms} ms`,
        `${one.p99Ms} ms`,
        `${one.maxMs} ms`,
        one.megabytesPerSecond.toFixed(1),
        String(one.failures),
      ]),
    ),
  );
  console.log(`\nslow readers connected to the end: ${connected} of ${slowReaders}\n`);
  console.log(
    table(
      ['beyond a limit', 'expected', 'seen'],
      limits.map(({ name, expected, seen }) => [name, expected, seen]),
    ),
  );
  const isBroken =
    all.some(({ failures }) => failures > 0) || limits.some(({ expected, seen }) => expected !== seen);
  if (isBroken || connected < slowReaders) process.exitCode = 1;
  return { machine, loads: all, slowReadersConnected: connected, limits, maxRssBytes };
}

async function put(load: Load, url: string, seconds: number): Promise<LoadFigures> {
  const result = await autocannon({
    url: `${url}${load.path}`,
    connections: clients,
    duration: seconds,
    timeout: 30,
    headers: { 'accept-encoding': 'gzip' },
  });
  return {
    ...load,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    maxMs: result.latency.max,
    megabytesPerSecond: result.throughput.average / 1e6,
    failures: result.errors + result.timeouts + result.non2xx,
  };
}
