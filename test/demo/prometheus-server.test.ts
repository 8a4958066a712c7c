import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ChildServerError, startChildServer } from '../../src/demo/child-server.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { obtainPrometheus } from '../../src/demo/prometheus-binary.ts';
import { startPrometheus } from '../../src/demo/prometheus-server.ts';
import { becomesTrue, isRunning } from '../support/processes.ts';

describe('a Prometheus of our own', () => {
  test('answers on loopback, and leaves no process and no folder once stopped', async () => {
    const server = await startPrometheus(obtainPrometheus());
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(isRunning(server.pid)).toBe(true);
    expect((await fetch(`${server.url}/-/healthy`)).status).toBe(200);
    expect(existsSync(server.folder)).toBe(true);
    await server.stop();
    await server.stop();
    expect(isRunning(server.pid)).toBe(false);
    expect(existsSync(server.folder)).toBe(false);
  });

  test('loads rule files and evaluates them', async () => {
    const rules = fileURLToPath(new URL('fixtures/always.rules.yaml', import.meta.url));
    const server = await startPrometheus(obtainPrometheus(), { ruleFiles: [rules], intervalSeconds: 1 });
    try {
      const response = await fetch(`${server.url}/api/v1/rules`);
      expect(JSON.stringify(await response.json())).toContain('"name":"Always"');
    } finally {
      await server.stop();
    }
  });

  test('reports its own words where it does not come up', async () => {
    const start = startPrometheus(obtainPrometheus(), { flags: ['--no-such-flag'] });
    await expect(start).rejects.toThrow(ChildServerError);
    await expect(start).rejects.toThrow(/ended before it was ready.*no-such-flag/s);
  });

  test('is stopped, and its folder removed, when the program that started it is killed', async () => {
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL('fixtures/orphan-maker.mjs', import.meta.url))],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const { pid, folder } = JSON.parse(await firstLine(parent)) as { pid: number; folder: string };
    expect(isRunning(pid)).toBe(true);
    expect(existsSync(folder)).toBe(true);
    parent.kill('SIGKILL');
    expect(await becomesTrue(() => !isRunning(pid) && !existsSync(folder), 15_000)).toBe(true);
  });
});

describe('a child server', () => {
  test('that ignores SIGTERM is killed after its time', async () => {
    const port = await findFreePort();
    const script = `process.on('SIGTERM', () => {}); require('http').createServer((q, r) => r.end()).listen(${port}, '127.0.0.1')`;
    const server = await startChildServer({
      name: 'stubborn',
      command: process.execPath,
      args: ['-e', script],
      readyUrl: `http://127.0.0.1:${port}/`,
      stopTimeoutMs: 300,
    });
    await server.stop();
    expect(isRunning(server.pid)).toBe(false);
  });

  test('whose program does not exist is reported by name', async () => {
    const start = startChildServer({
      name: 'nothing',
      command: '/no/such/program',
      args: [],
      readyUrl: 'http://127.0.0.1:1/',
    });
    await expect(start).rejects.toThrow(
      /nothing \(\/no\/such\/program\) ended before it was ready: .*ENOENT/,
    );
  });
});

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) {
      return text.slice(0, text.indexOf('\n'));
    }
  }
  throw new Error('the program ended without a line');
}
