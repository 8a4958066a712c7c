import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refreshStages } from '../../src/snapshot/stages.ts';
import { startProcess } from '../support/process.ts';
import { startWireBackend } from '../support/wire-backend.ts';
import { smallCluster } from '../support/wire-cluster.ts';

/** So many that each stage takes long enough to be stopped in. */
const cluster = smallCluster(undefined, { morePods: 5_000 });

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-stop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function start(url: string, folder: string) {
  return startProcess([
    'serve',
    `--prometheus.url=${url}`,
    '--web.listen-address=127.0.0.1:0',
    '--log.level=debug',
    '--refresh.interval=1m',
    '--window.duration=2h',
    `--window.file=${join(folder, 'window')}`,
  ]);
}

async function expectCleanEnd(service: ReturnType<typeof start>, folder: string): Promise<void> {
  const startedAt = performance.now();
  process.kill(service.pid, 'SIGTERM');
  expect(await service.ended).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(service.output()).toContain('"msg":"stopping"');
  expect(service.output()).not.toMatch(/"level":"(error|fatal)"/);
  expect(readdirSync(folder)).toEqual(['window']);
}

describe('SIGTERM ends the service with exit code 0 and a whole window file', () => {
  it('at whatever stage of a refresh it comes', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    const backend = await startWireBackend(cluster);
    for (const [run, stage] of refreshStages.entries()) {
      const service = start(backend.url, folder);
      await service.outputWhen(new RegExp(`"stage":"${stage}"`));
      await expectCleanEnd(service, folder);
      // What the one before left is read, and nothing of it was set aside.
      if (run > 0) expect(service.output()).toContain('"msg":"window loaded"');
      expect(service.output()).not.toMatch(/"level":"warn"/);
    }
  });

  it.each([
    ['the inputs', (query: string) => query.includes('kube_pod_status_phase')],
    ['the peaks', (query: string) => query.includes('max_over_time')],
    ['what recommendations need', (query: string) => /OOMKilled|autoscaler/.test(query)],
  ])('while it waits for an answer about %s', async (_name, isHeld) => {
    const folder = temporaryFolder();
    let held = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      held = resolve;
    });
    const small = smallCluster();
    const holding: RequestListener = (request, response) => {
      let form = '';
      request.on('data', (chunk: Buffer) => {
        form += chunk.toString();
      });
      request.on('end', () => {
        if (isHeld(new URLSearchParams(form).get('query') ?? '')) held();
      });
      // The small cluster answers at the end of the request too; what is held is never sent.
      const end = response.end.bind(response);
      response.end = ((body: string) =>
        isHeld(new URLSearchParams(form).get('query') ?? '') ? response : end(body)) as typeof response.end;
      small(request, response);
    };
    const backend = await startWireBackend(holding);
    const service = start(backend.url, folder);
    await isAsked;
    await expectCleanEnd(service, folder);
  });
});
