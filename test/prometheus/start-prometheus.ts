import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTool } from '../../src/demo/tool-search.ts';

/** A running backend that scrapes the exposition text it was started with, each second. */
export interface Backend {
  readonly url: string;
  /** Stops answering without closing a connection, as a machine that hangs. */
  pause(): void;
  resume(): void;
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

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startExporter(exposition: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(exposition);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function waitUntilReady(url: string): Promise<void> {
  for (const deadlineMs = Date.now() + 30_000; Date.now() < deadlineMs; ) {
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the backend was not ready within 30 s');
}

interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

async function launch(program: Program, options: Parameters<Program['arguments']>[0]): Promise<Process> {
  const child = spawn(program.binary, program.arguments(options), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => reject(new Error(`${program.binary} does not start: ${error.message}`)));
  });
  await Promise.race([
    waitUntilReady(`http://127.0.0.1:${options.port}${program.readyPath}`),
    ended.then(() => Promise.reject(new Error(`${program.binary} ended at once: ${said}`))),
  ]);
  return { child, ended };
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
  const options = { folder, config, port: await freePort() };
  let running = await launch(program, options);
  const end = (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    running.child.kill(signal);
    return running.ended;
  };
  return {
    url: `http://127.0.0.1:${options.port}`,
    pause: () => running.child.kill('SIGSTOP'),
    resume: () => running.child.kill('SIGCONT'),
    kill: () => end('SIGKILL'),
    async restart() {
      running = await launch(program, options);
    },
    async stop() {
      await end('SIGTERM');
      exporter.closeAllConnections();
      exporter.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
