import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { findTool } from '../../src/demo/tool-search.ts';

/** A running backend that scrapes the exposition text it was started with, each second. */
export interface Backend {
  readonly url: string;
  /** The process that runs now. */
  pid(): number;
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  restart(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

interface Program {
  readonly binary: string;
  arguments(options: { folder: string; config: string; port: number }): string[];
  /** Answers 200 once queries are served. */
  readonly readyPath: string;
}

export const PROMETHEUS: Program = {
  binary: findTool('prometheus') ?? 'prometheus',
  arguments: ({ folder, config, port }) => [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ],
  readyPath: '/-/ready',
};

export const VICTORIA_METRICS: Program = {
  binary: findTool('victoriaMetrics') ?? 'victoria-metrics',
  arguments: ({ folder, config, port }) => [
    `-promscrape.config=${config}`,
    `-storageDataPath=${join(folder, 'data')}`,
    `-httpListenAddr=127.0.0.1:${port}`,
  ],
  readyPath: '/health',
};

async function startExporter(exposition: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(exposition);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Starts the program on a free loopback port with a data folder of its own. */
export async function startBackend(program: Program, exposition: string): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-backend-'));
  const exporter = await startExporter(exposition);
  const config = join(folder, 'scrape.yml');
  writeFileSync(
    config,
    `global: {scrape_interval: 1s}
scrape_configs:
  - job_name: fixture
    static_configs: [{targets: ['127.0.0.1:${(exporter.address() as AddressInfo).port}']}]
`,
  );
  const options = { folder, config, port: await findFreePort() };
  const url = `http://127.0.0.1:${options.port}`;
  const launch = (): Promise<ChildServer> =>
    startChildServer({
      name: 'backend',
      command: program.binary,
      args: program.arguments(options),
      readyUrl: `${url}${program.readyPath}`,
    });
  let running = await launch();
  return {
    url,
    pid: () => running.pid,
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.gone;
    },
    async restart() {
      running = await launch();
    },
    async stop() {
      await running.stop();
      exporter.closeAllConnections();
      exporter.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
