import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { wandering } from '../../src/demo/cluster/curves.ts';
import { gi, hourMs, mi, minuteMs } from '../../src/demo/cluster/units.ts';
import { hourStartMs, windowAt } from '../../src/window/hour.ts';
import { clusterOf } from '../support/cluster.ts';
import { type HoldingProxy, type PassingQuery, startHoldingProxy } from '../support/holding-proxy.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';

const windowHours = 24;
const nowMs = Date.now();
const podNames = Array.from({ length: 12 }, (_, i) => `db-${i}`);
const cluster = clusterOf({
  nowMs,
  nodes: [{ name: 'n1', capacityBytes: gi(16) }],
  pods: podNames.map((name) => ({
    namespace: 'shop',
    name,
    node: 'n1',
    owner: { kind: 'StatefulSet', name: 'db' },
    containers: [{ request: mi(100), usage: wandering(mi(50), mi(400), name) }],
  })),
});

let prometheus: TestPrometheus;
beforeAll(async () => {
  prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - 26 * hourMs, endMs: nowMs, usageStepMs: minuteMs }),
  );
});
afterAll(() => prometheus?.stop());

const isPeakQuery = ({ path, query }: PassingQuery): boolean =>
  path === '/api/v1/query' && query.includes('max_over_time');
const isHistoryQuery = ({ path }: PassingQuery): boolean => path === '/api/v1/query_range';

async function startCase() {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-kill-'));
  const windowFile = join(folder, 'window');
  const proxy = await startHoldingProxy(prometheus.url);
  onTestFinished(async () => {
    await proxy.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const start = async (): Promise<TestService> => {
    const service = await startTestService(proxy.url, {
      flags: [
        `--window.duration=${windowHours}h`,
        `--window.file=${windowFile}`,
        '--refresh.interval=5s',
        '--prometheus.timeout=60s',
      ],
      until: '/-/healthy',
    });
    onTestFinished(() => service.stop());
    return service;
  };
  return { proxy, windowFile, start };
}

async function killWhile(service: TestService, proxy: HoldingProxy, fits: (query: PassingQuery) => boolean) {
  await proxy.hold(fits);
  process.kill(service.pid, 'SIGKILL');
  await service.gone;
  proxy.release();
}

/** Peaks as the service shows them, and as Prometheus itself answers for the same window. */
async function bothPeaks(service: TestService) {
  const { data } = await service.statusWhen((status) => status.data?.windowCoverageRatio === 1, 60_000);
  const { body } = await service.get('/metrics');
  const shown = [...body.matchAll(/^evictrank_pod_memory_peak_bytes\{.*pod="([^"]+)".*\} (\S+)$/gm)];
  const evaluatedAtMs = Date.parse(data?.evaluatedAt ?? '');
  const rangeMs = evaluatedAtMs - hourStartMs(windowAt(evaluatedAtMs, windowHours).first);
  const answered = await prometheus.query(
    `max by (pod) (max_over_time(container_memory_working_set_bytes{container="",pod!="",image=""}[${rangeMs}ms]))`,
    evaluatedAtMs,
  );
  return {
    shown: Object.fromEntries(shown.map(([, pod = '', bytes]) => [pod, Number(bytes)])),
    answered: Object.fromEntries(answered.map(({ labels, value }) => [labels.pod ?? '', value])),
  };
}

describe('a service killed in the middle of a refresh', () => {
  it('shows the peaks of Prometheus after its restart, killed while the window is filled for the first time', async () => {
    const { proxy, start } = await startCase();
    await killWhile(await start(), proxy, isHistoryQuery);
    const { shown, answered } = await bothPeaks(await start());
    expect(new Set(Object.keys(answered))).toEqual(new Set(podNames));
    expect(shown).toEqual(answered);
  });

  it('shows them again without reading any hour twice, killed while it follows a saved window', async () => {
    const { proxy, windowFile, start } = await startCase();
    const first = await start();
    const before = await bothPeaks(first);
    expect(before.shown).toEqual(before.answered);
    await expect.poll(() => existsSync(windowFile), { timeout: 20_000 }).toBe(true);
    await killWhile(first, proxy, isPeakQuery);
    proxy.forget();
    const after = await bothPeaks(await start());
    expect(proxy.queries.some(isPeakQuery)).toBe(true);
    expect(proxy.queries.filter(isHistoryQuery)).toEqual([]);
    expect(after.shown).toEqual(after.answered);
    expect(after.shown).toEqual(before.shown);
  });
});

describe('a rolling update', () => {
  it('hands the window on: the next process has all of it at its first refresh, and asks for no hour again', async () => {
    const { proxy, windowFile, start } = await startCase();
    const first = await start();
    const before = await bothPeaks(first);
    process.kill(first.pid, 'SIGTERM');
    await first.gone;
    expect(existsSync(windowFile)).toBe(true);
    proxy.forget();
    const next = await start();
    const { data } = await next.statusWhen((status) => status.data !== null);
    expect(data?.windowCoverageRatio).toBe(1);
    expect(proxy.queries.filter(isHistoryQuery)).toEqual([]);
    expect((await bothPeaks(next)).shown).toEqual(before.shown);
  });

  it('without a file leaves the old process whole until the next one is ready, which then fills its own', async () => {
    const proxy = await startHoldingProxy(prometheus.url);
    onTestFinished(() => proxy.stop());
    const flags = [`--window.duration=${windowHours}h`, '--refresh.interval=5s'];
    const old = await startTestService(prometheus.url, { flags });
    onTestFinished(() => old.stop());
    const before = await bothPeaks(old);
    const next = await startTestService(proxy.url, { flags });
    onTestFinished(() => next.stop());
    expect((await old.statusWhen(() => true)).data?.windowCoverageRatio).toBe(1);
    const after = await bothPeaks(next);
    expect(proxy.queries.some(isHistoryQuery)).toBe(true);
    expect(after.shown).toEqual(before.shown);
  });
});
