import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import { hourMs, minuteMs } from '../../src/demo/cluster/units.ts';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import type { NodeList } from '../../src/outputs/api/node-list.ts';
import type { PodList } from '../../src/outputs/api/pod-list.ts';
import { metrics } from '../../src/outputs/metrics/catalogue.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { startTestService, type TestService } from '../support/service.ts';

const cluster = buildDemoCluster({ nowMs: Date.now() });
const classes = Object.entries(cluster.priorityClasses).map(([name, value]) => `${name}=${value}`);

// One refresh is all there is to see: the store is not written to any more.
const flags = [`--priority-classes=${classes.join(',')}`, '--window.duration=1h', '--refresh.interval=1h'];

let prometheus: TestPrometheus;
let service: TestService;
let metricsText: string;

beforeAll(async () => {
  const { nowMs } = cluster;
  prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - 2 * hourMs, endMs: nowMs, usageStepMs: 2 * minuteMs }),
  );
  service = await startTestService(prometheus.url, { flags });
  metricsText = (await service.get('/metrics')).body;
});
afterAll(async () => {
  await service?.stop();
  await prometheus?.stop();
});

/** Value of the one series that has these labels. */
function seriesValue(name: string, labels: Record<string, string>): number | undefined {
  const line = metricsText
    .split('\n')
    .find(
      (text) =>
        text.startsWith(`${name}{`) &&
        Object.entries(labels).every(([label, value]) => text.includes(`${label}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

describe('the service on the demo cluster', () => {
  it.each(['now', 'peak'])('ranks the seed node as the kubelet would, basis %s', (basis) => {
    const order = [
      'log-shipper',
      'ingress-nginx',
      'batch-import',
      'api-7d9f',
      'metrics-agent',
      'redis-cache',
    ];
    expect(order.map((pod) => seriesValue('evictrank_pod_eviction_risk_rank', { pod, basis }))).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
  });

  it('measures available memory and distances in bytes', () => {
    const node = caseNodes.seed;
    expect(seriesValue('evictrank_node_memory_available_bytes', { node })).toBe(922 * 2 ** 20);
    expect(seriesValue('evictrank_node_eviction_headroom_bytes', { node })).toBe(822 * 2 ** 20);
    expect(seriesValue('evictrank_pod_eviction_distance_bytes', { pod: 'ingress-nginx' })).toBe(
      1122 * 2 ** 20,
    );
  });

  it('does not rank the node whose cAdvisor is gone, and says why', async () => {
    const node = caseNodes.scrapeHole;
    expect(seriesValue('evictrank_node_complete', { node })).toBe(0);
    expect(metricsText).not.toMatch(new RegExp(`evictrank_pod_eviction_risk_rank\\{.*node="${node}"`));
    const { data } = await service.statusWhen(() => true);
    expect(data?.problems).toContainEqual(
      expect.objectContaining({ kind: 'node_without_usage', subject: node }),
    );
  });

  it('has every family of the catalogue with data, but recommendations, which need a day of history', () => {
    const silent = Object.values(metrics)
      .map(({ name }) => name)
      .filter((name) => !new RegExp(`^${name}(_count)?(\\{.*\\})? `, 'm').test(metricsText));
    expect(silent).toEqual(['evictrank_workload_memory_recommended_request_bytes']);
  });

  it('passes promtool check metrics', () => {
    expect(execFileSync('promtool', ['check', 'metrics'], { input: metricsText, encoding: 'utf8' })).toBe('');
  });

  it('sends the same metrics packed and unpacked', async () => {
    // The process itself changes from one scrape to the next, and may have new kinds of series; a refresh in between
    // changes all.
    const own = /^(# \w+ )?(process_|nodejs_).*\n/gm;
    await vi.waitFor(async () => {
      const plain = await service.get('/metrics', { 'Accept-Encoding': 'identity' });
      const packed = await service.get('/metrics', { 'Accept-Encoding': 'gzip' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(packed.body.replaceAll(own, '')).toBe(plain.body.replaceAll(own, ''));
    }, 10_000);
  });

  it('lists every living pod through pages of the API, each once', async () => {
    const seen: string[] = [];
    let path = '/api/v1/pods?limit=97';
    for (let page = 0; page < 30 && path !== ''; page++) {
      const { pods, nextCursor } = await service.json<PodList>(path);
      seen.push(...pods.map(({ namespace, pod }) => `${namespace}/${pod}`));
      path = nextCursor === null ? '' : `/api/v1/pods?limit=97&cursor=${nextCursor}`;
    }
    const { data } = await service.statusWhen(() => true);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(data?.pods ?? 0);
    expect(seen.length).toBeGreaterThan(800);
  });

  it('lists nodes by headroom, those of unknown headroom last', async () => {
    const { nodes } = await service.json<NodeList>('/api/v1/nodes');
    const headrooms = nodes.map(({ headroomBytes }) => headroomBytes ?? Number.MAX_VALUE);
    expect(headrooms).toEqual(headrooms.toSorted((a, b) => a - b));
    expect(nodes.length).toBeGreaterThanOrEqual(40);
  });

  it('agrees with itself: ladder, pod and metric show one rank', async () => {
    const ladder = await service.json<Ladder>(`/api/v1/nodes/${caseNodes.seed}`);
    for (const { namespace, pod, rank } of ladder.pods) {
      expect(seriesValue('evictrank_pod_eviction_risk_rank', { pod, basis: 'now' })).toBe(rank);
      expect(await service.json(`/api/v1/pods/${namespace}/${pod}`)).toMatchObject({ now: { rank } });
    }
  });

  it('is one of two replicas that rank equal data equally', async () => {
    const replica = await startTestService(prometheus.url, { flags });
    try {
      for (const { node } of (await service.json<NodeList>('/api/v1/nodes')).nodes) {
        const path = `/api/v1/nodes/${node}`;
        expect(await replica.json(path)).toEqual(await service.json(path));
      }
    } finally {
      await replica.stop();
    }
  });

  it.each([
    ['/api/v1/nodes/nope', 404, 'there is no node nope'],
    ['/api/v1/pods/x/y', 404, 'there is no pod x/y'],
    ['/api/v1/pods?limit=0', 400, 'limit'],
    ['/api/v1/pods?qos_class=Gold', 400, 'qos_class'],
    ['/api/v1/pods?nonsense=1', 400, 'nonsense'],
    ['/api/v1/pods?cursor=!!', 400, 'cursor'],
    ['/api/v1/nodes?basis=never', 400, 'basis'],
    ['/nowhere', 404, 'there is nothing at /nowhere'],
  ])('answers %s with problem details', async (path, status, detail) => {
    const answer = await service.get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(JSON.parse(answer.body)).toMatchObject({ status, detail: expect.stringContaining(detail) });
  });
});
