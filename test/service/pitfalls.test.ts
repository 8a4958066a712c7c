import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PodSpec } from '../../src/demo/cluster/pod.ts';
import { mi } from '../../src/demo/cluster/units.ts';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import { backends, type Store } from '../support/backends.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { repeated, type Scenario, scenarioSeries, threePods, unlabelled, without } from './scenarios.ts';

const container = /^container_memory_working_set_bytes$/;
const pause = mi(1) * 0.34375;

const scenarios = {
  plain: { name: 'with nothing wrong' },
  replicas: { name: 'written twice by a high-availability pair', change: repeated(/./, { replica: 'b' }) },
  jobs: { name: 'scraped by two jobs', change: repeated(/./, { job: 'another', service: 'another' }) },
  resource: { name: 'with /metrics/resource scraped', scrape: { hasResourceMetrics: true } },
  scheduler: { name: 'with the scheduler scraped', scrape: { scheduler: 'honored' } },
  renamedScheduler: {
    name: 'with the scheduler scraped without honor_labels',
    scrape: { scheduler: 'exported' },
  },
  exported: {
    name: 'scraped without honor_labels, and told so',
    scrape: { honorsStateLabels: false },
    flags: ['namespace', 'pod', 'container'].map((label) => `--labels.ksm.${label}=exported_${label}`),
  },
  nodeless: { name: 'with no node label on cAdvisor series', change: unlabelled(container, 'node') },
} as const satisfies Record<string, Scenario>;

const broken = {
  renamed: { name: 'without honor_labels', scrape: { honorsStateLabels: false } },
  hole: { name: 'without cAdvisor', change: without(container) },
  phases: { name: 'without the phase of pods', change: without(/^kube_pod_status_phase$/) },
  requests: { name: 'without requests', change: without(/^kube_pod_container_resource_requests$/) },
  qos: {
    name: 'without the QoS class',
    change: without(/^kube_pod_status_qos_class$/),
    pods: () => [
      ...threePods,
      podWith('guaranteed', { request: mi(100), limit: mi(100), cpuRequest: 1, cpuLimit: 1, usage: mi(10) }),
      podWith('memory-only', { request: mi(100), limit: mi(100), usage: mi(10) }),
      podWith('cpu-differs', {
        request: mi(100),
        limit: mi(100),
        cpuRequest: 0.5,
        cpuLimit: 1,
        usage: mi(10),
      }),
    ],
  },
  containers: {
    name: 'without pod cgroups',
    change: (series) =>
      series.labels.container === '' || !series.labels.container ? onlyNodes(series) : [series],
  },
  recreated: {
    name: 'with a pod recreated under its name',
    pods: (nowMs) => [
      ...threePods.slice(0, 2),
      {
        namespace: 'b',
        name: 'none',
        incarnation: 'old',
        node: 'ip-10-0-0-1',
        containers: [{ usage: mi(900) }],
        end: { atMs: nowMs - 90_000, phase: 'Failed' },
        createdMs: nowMs - 3_600_000,
      },
      {
        namespace: 'b',
        name: 'none',
        incarnation: 'new',
        node: 'ip-10-0-0-1',
        createdMs: nowMs - 60_000,
        containers: [{ usage: mi(50) }],
      },
    ],
  },
} as const satisfies Record<string, Scenario>;

function podWith(name: string, container: PodSpec['containers'][number]): PodSpec {
  return { namespace: 'c', name, node: 'ip-10-0-0-1', containers: [container] };
}

function onlyNodes(series: Parameters<NonNullable<Scenario['change']>>[0]) {
  const isPodCgroup =
    series.labels.__name__ === 'container_memory_working_set_bytes' && series.labels.pod !== undefined;
  return isPodCgroup ? [] : [series];
}

describe.each(Object.entries(backends))('on %s', (_name, start) => {
  let store: Store;
  let service: TestService;

  beforeAll(async () => {
    const nowMs = Date.now();
    const all = Object.entries<Scenario>({ ...scenarios, ...broken });
    store = await start(all.flatMap(([id, scenario]) => [...scenarioSeries(id, scenario, nowMs)]));
  });
  afterAll(() => store?.stop());
  afterEach(() => service?.stop());

  async function serve(id: string, scenario: Scenario, until = '/-/ready'): Promise<void> {
    service = await startTestService(store.url, {
      flags: [
        `--prometheus.dialect=${store.dialect}`,
        `--prometheus.selector=scenario="${id}"`,
        '--window.duration=1h',
        ...(scenario.flags ?? []),
      ],
      until,
    });
  }

  it.each(
    Object.entries<Scenario>(scenarios).map(([id, scenario]) => [scenario.name, id, scenario] as const),
  )('a cluster %s is ranked as it is', async (_name, id, scenario) => {
    await serve(id, scenario);
    const ladder = await service.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
    expect(ladder).toMatchObject({ complete: true, availableBytes: expect.any(Number) });
    expect(
      ladder.pods.map(({ rank, pod, group, usageBytes, requestBytes }) => [
        rank,
        pod,
        group,
        usageBytes,
        requestBytes,
      ]),
    ).toEqual([
      [1, 'over', 'exceeds_request', mi(300) + pause, mi(100)],
      [2, 'none', 'exceeds_request', mi(50) + pause, 0],
      [3, 'within', 'within_request', mi(300) + pause, mi(500)],
    ]);
  });

  it('several clusters with the same names are ranked apart', async () => {
    service = await startTestService(store.url, {
      flags: [
        `--prometheus.dialect=${store.dialect}`,
        '--labels.cluster=scenario',
        '--prometheus.selector=scenario=~"plain|jobs"',
        '--window.duration=1h',
      ],
    });
    expect((await service.get('/api/v1/nodes/ip-10-0-0-1')).status).toBe(400);
    for (const cluster of ['plain', 'jobs']) {
      const ladder = await service.json<Ladder>(`/api/v1/nodes/ip-10-0-0-1?cluster=${cluster}`);
      expect(ladder.pods.map(({ rank, pod }) => [rank, pod])).toEqual([
        [1, 'over'],
        [2, 'none'],
        [3, 'within'],
      ]);
    }
    const { body } = await service.get('/metrics');
    expect(body.match(/^evictrank_pod_eviction_risk_rank\{cluster="plain".*basis="now"\} 1$/gm)).toHaveLength(
      1,
    );
  });

  it('a cluster of the store without requests is not ranked, whatever the others have', async () => {
    service = await startTestService(store.url, {
      flags: [
        `--prometheus.dialect=${store.dialect}`,
        '--labels.cluster=scenario',
        '--prometheus.selector=scenario=~"plain|requests"',
        '--window.duration=1h',
      ],
    });
    const ladderOf = (cluster: string) =>
      service.json<Ladder>(`/api/v1/nodes/ip-10-0-0-1?cluster=${cluster}`);
    expect(await ladderOf('plain')).toMatchObject({ complete: true });
    expect(await ladderOf('requests')).toMatchObject({
      complete: false,
      pods: Array(3).fill({ rank: null, requestBytes: null }),
    });
  });

  it('a cluster of the store without phases of pods is not taken for an empty one, and named', async () => {
    service = await startTestService(store.url, {
      flags: [
        `--prometheus.dialect=${store.dialect}`,
        '--labels.cluster=scenario',
        '--prometheus.selector=scenario=~"plain|phases"',
        '--window.duration=1h',
      ],
    });
    expect(await service.json('/api/v1/nodes/ip-10-0-0-1?cluster=plain')).toMatchObject({ complete: true });
    expect(await service.json('/api/v1/nodes/ip-10-0-0-1?cluster=phases')).toMatchObject({
      complete: false,
      pods: [],
    });
    const { body } = await service.get('/metrics');
    expect(body).toContain('evictrank_node_complete{cluster="phases",node="ip-10-0-0-1"} 0');
    const { data } = await service.statusWhen(() => true);
    expect(data?.problems).toContainEqual(
      expect.objectContaining({
        kind: 'input_empty',
        subject: 'pod_phase',
        message: expect.stringContaining('kube_pod_status_phase of cluster phases'),
      }),
    );
  });

  it('renamed labels are no cluster: nothing is ranked, and the setting that repairs it is named', async () => {
    await serve('renamed', broken.renamed, '/-/healthy');
    const { lastRefresh } = await service.statusWhen((status) => status.lastRefresh.outcome !== null);
    expect(lastRefresh.error).toContain('--labels.ksm.namespace=exported_namespace');
    expect((await service.get('/metrics')).body).not.toContain('evictrank_pod_eviction_risk_rank{');
  });

  it('a hole in cAdvisor leaves the node incomplete and unranked', async () => {
    await serve('hole', broken.hole);
    expect(await service.json('/api/v1/nodes/ip-10-0-0-1')).toMatchObject({
      complete: false,
      availableBytes: null,
    });
    const { data } = await service.statusWhen(() => true);
    expect(data?.problems.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(
      expect.arrayContaining(['input_empty pod_usage', 'node_without_usage ip-10-0-0-1']),
    );
  });

  it('without requests nothing is ranked: unknown is not zero', async () => {
    await serve('requests', broken.requests);
    const ladder = await service.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
    expect(ladder).toMatchObject({ complete: false });
    expect(ladder.pods.map(({ rank, requestBytes }) => [rank, requestBytes])).toEqual(
      Array(3).fill([null, null]),
    );
  });

  it('without the QoS class it is derived from requests and limits', async () => {
    await serve('qos', broken.qos);
    const { data } = await service.statusWhen(() => true);
    expect(data?.inputs.find(({ id }) => id === 'pod_qos')?.source).toContain('derived');
    const ladder = await service.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
    expect(Object.fromEntries(ladder.pods.map(({ pod, qosClass }) => [pod, qosClass]))).toEqual({
      over: 'Burstable',
      none: 'BestEffort',
      within: 'Burstable',
      guaranteed: 'Guaranteed',
      'memory-only': 'Burstable',
      'cpu-differs': 'Burstable',
    });
  });

  it('without pod cgroups the sum of the containers counts, which lacks the pause container', async () => {
    await serve('containers', broken.containers);
    const ladder = await service.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
    expect(ladder.pods.map(({ pod, usageBytes }) => [pod, usageBytes])).toEqual([
      ['over', mi(300)],
      ['none', mi(50)],
      ['within', mi(300)],
    ]);
  });

  it('a recreated pod is shown once, with the usage of its new generation', async () => {
    await serve('recreated', broken.recreated);
    const ladder = await service.json<Ladder>('/api/v1/nodes/ip-10-0-0-1');
    expect(ladder.pods.map(({ pod, usageBytes }) => [pod, usageBytes])).toEqual([
      ['over', mi(300) + pause],
      ['none', mi(50) + pause],
      ['within', mi(300) + pause],
    ]);
  });
});
