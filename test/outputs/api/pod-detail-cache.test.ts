import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WrittenSeries } from '../../../src/demo/remote-write.ts';
import type { QueryScope } from '../../../src/inputs/scope.ts';
import { createPodDetailReader } from '../../../src/outputs/api/pod-detail-cache.ts';
import { clientFor } from '../../prometheus/settings.ts';
import { startWireServer } from '../../prometheus/wire-server.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';
import { startPrometheusWith, type TestPrometheus } from '../../support/prometheus.ts';
import { startApi } from './api-server.ts';

const keys = {
  cluster: undefined,
  namespace: 'namespace',
  pod: 'pod',
  container: 'container',
  node: 'node',
  uid: 'uid',
};
const scope: QueryScope = { labels: { ksm: keys, cadvisor: keys, scheduler: keys }, matchers: undefined };
const MIB = 2 ** 20;

const api = podOf({
  name: 'api',
  uid: 'uid-new',
  qosClass: 'Burstable',
  requestBytes: 300 * MIB,
  usageBytes: 310 * MIB,
});

describe('with a real Prometheus', () => {
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  const of = (
    metric: string,
    labels: Record<string, string>,
    value: number,
    uid = 'uid-new',
  ): WrittenSeries => ({
    labels: { __name__: metric, namespace: 'default', pod: 'api', uid, ...labels },
    timesMs: [nowMs - 60_000, nowMs],
    values: [value, value],
  });
  const request = (container: string, resource: string, value: number, uid?: string) =>
    of('kube_pod_container_resource_requests', { container, resource, unit: 'x', node: 'n1' }, value, uid);
  const limit = (container: string, resource: string, value: number) =>
    of('kube_pod_container_resource_limits', { container, resource, unit: 'x', node: 'n1' }, value);
  let prometheus: TestPrometheus;

  beforeAll(async () => {
    prometheus = await startPrometheusWith([
      // Twice, as a restarted container leaves it.
      of('kube_pod_container_info', { container: 'api', container_id: 'a' }, 1),
      of('kube_pod_container_info', { container: 'api', container_id: 'b' }, 1),
      of('kube_pod_container_info', { container: 'istio-proxy', container_id: 'c' }, 1),
      request('api', 'cpu', 0.1),
      request('api', 'memory', 256 * MIB),
      limit('api', 'cpu', 1),
      limit('api', 'memory', 256 * MIB),
      // An earlier pod of the same name.
      of('kube_pod_container_info', { container: 'old', container_id: 'o' }, 1, 'uid-old'),
      request('old', 'memory', 999, 'uid-old'),
      of('kube_pod_init_container_info', { container: 'mesh', restart_policy: 'Always' }, 1),
      of('kube_pod_init_container_info', { container: 'setup', restart_policy: '' }, 1),
      of('kube_pod_init_container_resource_requests', { container: 'mesh', resource: 'memory' }, 44 * MIB),
      of('kube_pod_restart_policy', { type: 'Always' }, 1),
      of('kube_pod_container_status_last_terminated_reason', { container: 'api', reason: 'OOMKilled' }, 1),
      of('kube_pod_container_status_last_terminated_reason', { container: 'api', reason: 'Error' }, 0),
    ]);
  });
  afterAll(() => prometheus.stop());

  test('the explanation shows the containers, their class, scores and what is odd', async () => {
    const readPodDetail = createPodDetailReader({
      client: clientFor(prometheus.url),
      scope,
      clock: () => nowMs,
    });
    const node = nodeOf({ pods: [api], capacityBytes: 1024 * MIB, allocatableBytes: 1000 * MIB });
    const server = await startApi(snapshotOf([node]), { readPodDetail });
    const reply = await server.get('/api/v1/pods/default/api');
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({
      now: { rank: 1, usageBytes: 310 * MIB },
      explanation: {
        summary:
          'The only pod on n1 that the kubelet could evict: it uses 10Mi more than the 300Mi it requests.',
        resources: {
          containers: [
            {
              name: 'api',
              kind: 'main',
              requests: { cpu: '100m', memory: '256Mi' },
              limits: { cpu: '1', memory: '256Mi' },
              lastTerminatedReason: 'OOMKilled',
              oomScoreAdj: 750,
            },
            {
              name: 'istio-proxy',
              kind: 'main',
              requests: {},
              limits: {},
              lastTerminatedReason: null,
              oomScoreAdj: 999,
            },
            { name: 'mesh', kind: 'sidecar', requests: { memory: '44Mi' } },
            { name: 'setup', kind: 'init' },
          ],
          restartPolicy: 'Always',
          qos: {
            qosClass: 'Burstable',
            reported: 'Burstable',
            difference: null,
            findings: expect.arrayContaining([
              expect.objectContaining({ container: 'api', reason: 'api: cpu limit 1 ≠ request 100m' }),
              expect.objectContaining({
                container: 'istio-proxy',
                reason: 'istio-proxy has no cpu or memory request or limit',
              }),
            ]),
          },
          memoryQos: {
            containers: expect.arrayContaining([
              expect.objectContaining({ container: 'api', highBytes: null, lowBytes: 256 * MIB }),
            ]),
          },
        },
      },
    });
  });

  test('a pod that Prometheus does not know is explained without its containers, with the reason', async () => {
    const readPodDetail = createPodDetailReader({
      client: clientFor(prometheus.url),
      scope,
      clock: () => nowMs,
    });
    const server = await startApi(snapshotOf([nodeOf({ pods: [podOf({ name: 'other' })] })]), {
      readPodDetail,
    });
    expect((await server.get('/api/v1/pods/default/other')).body).toMatchObject({
      explanation: {
        resources: null,
        cautions: [
          'Its containers are not shown: kube-state-metrics shows no container of the pod yet (it does once they have started; check that kube_pod_container_info is allowed).',
        ],
      },
    });
  });

  test('limits that are exported nowhere are not taken for limits that are not set', async () => {
    const bare = await startPrometheusWith([
      of('kube_pod_container_info', { container: 'api' }, 1),
      request('api', 'memory', 256 * MIB),
    ]);
    try {
      const read = createPodDetailReader({ client: clientFor(bare.url), scope, clock: () => nowMs });
      expect(await read(api)).toEqual({
        unavailable:
          'Its containers are not shown: Prometheus has no series of kube_pod_container_resource_limits at all (allow them in kube-state-metrics and in what drops series on the way).',
      });
    } finally {
      await bare.stop();
    }
  });
});

const nothing = JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } });
const one = JSON.stringify({
  status: 'success',
  data: { resultType: 'vector', result: [{ metric: { container: 'api' }, value: [1, '1'] }] },
});

describe('what was asked is kept', () => {
  const answering = () =>
    startWireServer((response, { form }) => {
      const query = form.get('query') ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(/container_info|^count/.test(query) ? one : nothing);
    });

  test('for a while: the same pod is asked for once, and looks at the same time share one question', async () => {
    const server = await answering();
    const read = createPodDetailReader({ client: clientFor(server.url), scope, clock: () => 1000 });
    const [first, second] = await Promise.all([read(api), read(api)]);
    const asked = server.requests.length;
    expect(first).toBe(second);
    expect(await read(api)).toBe(first);
    expect(server.requests).toHaveLength(asked);
    await read(podOf({ name: 'api', uid: 'uid-next' }));
    expect(server.requests).toHaveLength(2 * asked);
  });

  test('no longer than told', async () => {
    const server = await answering();
    const read = createPodDetailReader({
      client: clientFor(server.url),
      scope,
      clock: () => 1000,
      ttlSeconds: 0.05,
    });
    await read(api);
    const asked = server.requests.length;
    await delay(80);
    await read(api);
    expect(server.requests).toHaveLength(2 * asked);
  });

  test('for no more pods than told; the others are asked for every time', async () => {
    const server = await answering();
    const read = createPodDetailReader({
      client: clientFor(server.url),
      scope,
      clock: () => 1000,
      maxPods: 1,
    });
    await read(api);
    const asked = server.requests.length;
    for (let i = 0; i < 3; i++) expect(await read(podOf({ name: 'other' }))).toHaveProperty('spec');
    expect(server.requests).toHaveLength(4 * asked);
    await read(api);
    expect(server.requests).toHaveLength(4 * asked);
  });
});

describe('a backend that fails', () => {
  test('costs the containers, not the explanation, and is not asked again at once', async () => {
    const broken = await startWireServer((response) => {
      response.statusCode = 500;
      response.end('no');
    });
    const readPodDetail = createPodDetailReader({ client: clientFor(broken.url), scope, clock: () => 1000 });
    const server = await startApi(snapshotOf([nodeOf({ pods: [api] })]), { readPodDetail });
    const reply = await server.get('/api/v1/pods/default/api');
    expect(reply).toMatchObject({ status: 200, body: { explanation: { resources: null } } });
    expect(reply.text).toContain('Its containers are not shown: query pod_detail_');
    // What was under way when the first one failed may still arrive.
    await delay(50);
    const asked = broken.requests.length;
    await server.get('/api/v1/pods/default/api');
    await delay(50);
    expect(broken.requests).toHaveLength(asked);
  });

  test('that hangs is waited for only so long', async () => {
    const hanging = await startWireServer(() => undefined);
    const read = createPodDetailReader({
      client: clientFor(hanging.url),
      scope,
      clock: () => 1000,
      timeoutMs: 100,
    });
    expect(await read(api)).toEqual({
      unavailable: 'Its containers are not shown: Prometheus did not answer within 0.1 s.',
    });
  });

  test('in what can be done without, costs only that', async () => {
    const partly = await startWireServer((response, { form }) => {
      const query = form.get('query') ?? '';
      if (query.includes('last_terminated')) response.statusCode = 500;
      response.setHeader('content-type', 'application/json');
      response.end(/container_info|^count/.test(query) ? one : nothing);
    });
    const read = createPodDetailReader({ client: clientFor(partly.url), scope, clock: () => 1000 });
    expect(await read(api)).toMatchObject({
      gaps: expect.arrayContaining(['The query for last terminated failed, so it is not shown.']),
    });
  });
});

describe('the queries', () => {
  test('carry names as values, never as PromQL', async () => {
    const server = await startWireServer((response) => {
      response.setHeader('content-type', 'application/json');
      response.end(nothing);
    });
    const read = createPodDetailReader({ client: clientFor(server.url), scope, clock: () => 1000 });
    await read(podOf({ name: 'a"} or up{b="\\', uid: undefined }));
    for (const { form } of server.requests) {
      const query = form.get('query') ?? '';
      if (query.startsWith('count')) continue;
      expect(query).toContain('pod="a\\"} or up{b=\\"\\\\"');
      expect(query).not.toContain('uid=');
    }
  });
});
