import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hourMs, minuteMs } from '../../src/demo/cluster/units.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startWireBackend } from '../support/wire-backend.ts';
import { smallCluster } from '../support/wire-cluster.ts';
import { scenarioSeries } from './scenarios.ts';

const dayMs = 24 * hourMs;
const preload = fileURLToPath(new URL('../support/shifted-clock.mjs', import.meta.url));

let prometheus: TestPrometheus;
beforeAll(async () => {
  const series = scenarioSeries('clock', { name: '' }, Date.now());
  prometheus = await startPrometheusWith(series);
});
afterAll(() => prometheus?.stop());

/** A service whose clock, in every thread, is wrong by what `setClock` says. */
async function start(url: string): Promise<{ service: TestService; setClock(offByMs: number): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'off-by-ms');
  const setClock = (offByMs: number): void => writeFileSync(file, String(offByMs));
  setClock(0);
  const service = await startTestService(url, {
    flags: ['--refresh.interval=5s', '--window.duration=1h'],
    environment: { ...process.env, NODE_OPTIONS: `--import=${preload}`, EVICTRANK_TEST_CLOCK: file },
  });
  onTestFinished(() => service.stop());
  return { service, setClock };
}

describe('a clock that is set', () => {
  it('forward by a day makes the data old at once, and all is well once it is right again', async () => {
    const { service, setClock } = await start(prometheus.url);
    setClock(dayMs);
    const { lastRefresh, ready } = await service.statusWhen((status) => status.stale);
    expect(ready).toBe(false);
    expect((await service.get('/-/ready')).status).toBe(503);
    expect(lastRefresh.outcome).not.toBeNull();
    const failed = await service.statusWhen((status) => status.lastRefresh.outcome === 'failed');
    expect(failed.lastRefresh.error).toContain('no series of kube_pod_info');
    expect((await service.get('/metrics')).body).toContain('evictrank_source_up 0');
    setClock(0);
    await service.statusWhen((status) => status.ready && status.lastRefresh.outcome === 'ok');
    expect((await service.get('/-/ready')).status).toBe(200);
  });

  it('back by an hour does not let old data pass for new', async () => {
    const backend = await startWireBackend(smallCluster());
    const { service, setClock } = await start(backend.url);
    backend.become((_request, response) => response.writeHead(500).end());
    setClock(-hourMs);
    await service.statusWhen((status) => status.lastRefresh.outcome === 'failed');
    const { data, ready } = await service.statusWhen((status) => status.stale);
    expect(ready).toBe(false);
    expect(data?.ageSeconds).toBeGreaterThan(15);
    expect(data?.ageSeconds).toBeLessThan(60);
    backend.become(smallCluster());
    await service.statusWhen((status) => status.ready);
  });

  it('back by a few minutes is followed, and the window goes on', async () => {
    const { service, setClock } = await start(prometheus.url);
    setClock(-2 * minuteMs);
    const before = (await service.statusWhen(() => true)).data?.evaluatedAt ?? '';
    const after = await service.statusWhen(
      ({ data }) => data !== null && Date.parse(data.evaluatedAt) < Date.parse(before),
    );
    expect(after).toMatchObject({ ready: true, lastRefresh: { outcome: 'ok' } });
    expect(after.data?.problems).toContainEqual({
      kind: 'clock_differs',
      subject: 'clock',
      message: expect.stringMatching(/^the clock here is 1(19|20|21) s behind that of the backend/),
      remedy: 'set both clocks by NTP',
    });
    expect((await service.get('/metrics')).body).toContain(
      'evictrank_input_problems{kind="clock_differs"} 1',
    );
    setClock(0);
    await service.statusWhen(
      ({ data }) => data !== null && Date.parse(data.evaluatedAt) > Date.parse(before),
    );
    expect((await service.get('/metrics')).body).toContain(
      'evictrank_input_problems{kind="clock_differs"} 0',
    );
  });
});
