import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestService } from '../support/service.ts';
import { missingMounts, smallDisk } from '../support/small-disk.ts';
import { startWireBackend } from '../support/wire-backend.ts';
import { smallCluster } from '../support/wire-cluster.ts';

async function start(windowFile: string, within?: readonly string[]) {
  const backend = await startWireBackend(smallCluster());
  const service = await startTestService(backend.url, {
    flags: [
      '--window.duration=2h',
      `--window.file=${windowFile}`,
      '--refresh.interval=5s',
      '--log.level=debug',
    ],
    ...(within === undefined ? {} : { within }),
  });
  onTestFinished(() => service.stop());
  return service;
}

describe.skipIf(missingMounts !== '')(`a disk for the window${missingMounts}`, () => {
  it.each([
    ['full', 'ENOSPC'],
    ['read-only', 'EROFS'],
  ] as const)('that is %s is told, and ranking goes on', async (state, code) => {
    const disk = smallDisk(state);
    const service = await start(join(disk.folder, 'window'), disk.within);
    const { data, ready, lastRefresh } = await service.statusWhen((status) =>
      Boolean(status.data?.problems.some(({ kind }) => kind === 'window_not_saved')),
    );
    expect({ ready, outcome: lastRefresh.outcome }).toEqual({ ready: true, outcome: 'ok' });
    expect(data?.problems).toContainEqual(
      expect.objectContaining({ kind: 'window_not_saved', message: expect.stringContaining(code) }),
    );
    const { body } = await service.get('/metrics');
    expect(body).toContain('evictrank_input_problems{kind="window_not_saved"} 1');
    expect(body).toMatch(/evictrank_pod_eviction_risk_rank\{.*pod="x".*basis="now"\} 1/);
  });

  it('that has room again is written at the end, with nothing left over of what failed', async () => {
    const disk = smallDisk('full');
    const service = await start(join(disk.folder, 'window'), disk.within);
    await service.statusWhen((status) =>
      Boolean(status.data?.problems.some(({ kind }) => kind === 'window_not_saved')),
    );
    const folder = disk.seenFrom(service.pid);
    expect(readdirSync(folder)).toEqual(['filler']);
    expect(statfsSync(folder).bavail).toBe(0);
    rmSync(join(folder, 'filler'));
    process.kill(service.pid, 'SIGTERM');
    await service.gone;
    expect(service.output()).toContain('"msg":"window saved"');
  });
});

it('a disk that hangs keeps no process from its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-hanging-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const service = await start(join(folder, 'window'));
  // Whoever opens it for writing waits until somebody reads, as with a network disk that is gone.
  execFileSync('mkfifo', [join(folder, 'window.tmp')]);
  const startedAt = performance.now();
  process.kill(service.pid, 'SIGTERM');
  await service.gone;
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  expect(service.output()).toContain('the window file does not answer: ended without saving');
});
