import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import { minuteMs } from '../../src/demo/cluster/units.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import { startHoldingProxy } from '../support/holding-proxy.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { whileSuspended } from '../support/suspended.ts';

const flags = ['--refresh.interval=5s', '--prometheus.timeout=1s', '--window.duration=1h'];

let prometheus: TestPrometheus;
let port: number;
let service: TestService | undefined;
let folder: string;

/** The seed node alone, fresh, at the port of the Prometheus that was there before. */
function startSeeded(): Promise<TestPrometheus> {
  const cluster = buildDemoCluster({ nowMs: Date.now() });
  const seed = {
    ...cluster,
    nodes: cluster.nodes.filter(({ name }) => name === caseNodes.seed),
    pods: cluster.pods.filter(({ node }) => node === caseNodes.seed),
  };
  const series = seriesOf(seed, {
    startMs: seed.nowMs - 10 * minuteMs,
    endMs: seed.nowMs,
    stateStepMs: minuteMs,
  });
  return startPrometheusWith(series, { port });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evictrank-faults-'));
  port = await findFreePort();
  prometheus = await startSeeded();
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
});
afterAll(async () => {
  await prometheus?.stop();
  rmSync(folder, { recursive: true });
});

async function ranks(of: TestService): Promise<unknown> {
  const { pods } = await of.json<Ladder>(`/api/v1/nodes/${caseNodes.seed}`);
  return pods.map(({ rank, pod }) => [rank, pod]);
}

describe('the service', () => {
  it('ranks and publishes where only the questions about OOM kills hang, and says what that costs', async () => {
    const proxy = await startHoldingProxy(prometheus.url);
    try {
      const held = proxy.hold(({ query }) => query.includes('last_terminated_reason'));
      service = await startTestService(proxy.url, { flags });
      await held;
      const { lastRefresh, data } = await service.statusWhen(({ data }) => data !== null);
      expect(lastRefresh.outcome).toBe('ok');
      expect(data?.problems.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^OOM kills could not be asked for: .*the margin is not raised/),
      );
      expect(await ranks(service)).not.toHaveLength(0);
    } finally {
      await proxy.stop();
    }
  });

  it('keeps its last data while Prometheus hangs, says so, and recovers by itself', async () => {
    const running = await startTestService(prometheus.url, { flags });
    service = running;
    const before = await ranks(running);
    await whileSuspended(prometheus.pid, async () => {
      const { lastRefresh } = await running.statusWhen((status) => status.lastRefresh.outcome === 'failed');
      expect(lastRefresh.error).toMatch(/query \w+ .*time/);
      expect(await ranks(running)).toEqual(before);
      expect((await running.get('/metrics')).body).toContain('evictrank_source_up 0');
    });
    await running.statusWhen((status) => status.lastRefresh.outcome === 'ok');
    expect((await running.get('/metrics')).body).toContain('evictrank_source_up 1');
  });

  it('survives that Prometheus is killed and another one takes its place', async () => {
    service = await startTestService(prometheus.url, { flags });
    const before = await ranks(service);
    process.kill(prometheus.pid, 'SIGKILL');
    await prometheus.gone;
    await prometheus.stop();
    const failed = await service.statusWhen((status) => status.lastRefresh.outcome === 'failed');
    expect(failed.lastRefresh.error).toContain('ECONNREFUSED');
    prometheus = await startSeeded();
    await service.statusWhen((status) => status.lastRefresh.outcome === 'ok');
    expect(await ranks(service)).toEqual(before);
  });

  it.each([
    ['whose folder cannot be made', () => join(folder, 'plain-file', 'window')],
    ['that is a folder', () => folder],
  ])('goes on with a window file %s, and says so', async (_name, path) => {
    writeFileSync(join(folder, 'plain-file'), '');
    service = await startTestService(prometheus.url, { flags: [...flags, `--window.file=${path()}`] });
    const status = await service.statusWhen(({ data }) =>
      Boolean(data?.problems.some(({ kind }) => kind === 'window_not_saved')),
    );
    expect(status.ready).toBe(true);
    expect((await service.get('/metrics')).body).toMatch(
      /evictrank_input_problems\{kind="window_not_saved"\} 1/,
    );
  });

  it('ends cleanly at once when told so while Prometheus hangs', async () => {
    const running = await startTestService(prometheus.url, { flags });
    service = running;
    await whileSuspended(prometheus.pid, async () => {
      const startedAt = performance.now();
      process.kill(running.pid, 'SIGTERM');
      await running.gone;
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });
  });
});
