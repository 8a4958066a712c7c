import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import type { DemoCluster } from '../../src/demo/cluster/description.ts';
import { existsAt, runsAt, usageOf } from '../../src/demo/cluster/pod.ts';
import { gi, hourMs, mi, minuteMs, weekMs } from '../../src/demo/cluster/units.ts';
import { startLiveWriter } from '../../src/demo/live-writer.ts';
import { clusterOf } from '../support/cluster.ts';
import { queryInstant, startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';

const cluster = buildDemoCluster({ nowMs: Date.now() });
const { nowMs } = cluster;
const seedNode: DemoCluster = {
  ...cluster,
  nodes: cluster.nodes.filter(({ name }) => name === caseNodes.seed),
  pods: cluster.pods.filter(({ node }) => node === caseNodes.seed),
};
const podCgroup = 'container_memory_working_set_bytes{container="",pod!="",image=""}';

describe('a real Prometheus answers of the seed node, after a week', () => {
  let prometheus: TestPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheusWith(
      seriesOf(seedNode, { startMs: nowMs - weekMs, endMs: nowMs, usageStepMs: minuteMs }),
    );
  });
  afterAll(() => prometheus.stop());

  const byPod = async (expression: string, timeMs = nowMs): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await prometheus.query(expression, timeMs)).map(({ labels, value }) => [labels.pod, value]),
    );
  const described = (pick: (pod: DemoCluster['pods'][number]) => number) =>
    Object.fromEntries(seedNode.pods.map((pod) => [pod.name, pick(pod)]));

  test('the usage now', async () => {
    expect(await byPod(podCgroup)).toEqual(described((pod) => usageOf(pod, nowMs)));
  });

  test('the highest usage of seven days, which is the usage now', async () => {
    expect(await byPod(`max_over_time(${podCgroup}[7d])`)).toEqual(described((pod) => usageOf(pod, nowMs)));
  });

  test('the usage three days ago', async () => {
    const timeMs = nowMs - 3 * 24 * hourMs;
    expect(await byPod(podCgroup, timeMs)).toEqual(described((pod) => usageOf(pod, timeMs)));
  });

  test('the requests, where there are any', async () => {
    const requests = await byPod('sum by (pod) (kube_pod_container_resource_requests{resource="memory"})');
    expect({ 'log-shipper': 0, ...requests }).toEqual(described((pod) => pod.requestBytes));
  });

  test('the sum of the containers, which lacks the pause container', async () => {
    const sums = await byPod('sum by (pod) (container_memory_working_set_bytes{container!=""})');
    expect(sums).toEqual(described((pod) => usageOf(pod, nowMs) - 352 * 1024));
  });

  test('922Mi available', async () => {
    const answer = await prometheus.query(
      'kube_node_status_capacity{resource="memory"} - on (node) container_memory_working_set_bytes{id="/"}',
      nowMs,
    );
    expect(answer.map(({ value }) => value)).toEqual([mi(922)]);
  });
});

describe('a real Prometheus answers of the whole cluster', () => {
  let prometheus: TestPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheusWith(
      seriesOf(cluster, { startMs: nowMs - 30 * minuteMs, endMs: nowMs, usageStepMs: minuteMs }),
    );
  });
  afterAll(() => prometheus.stop());
  const count = async (expression: string): Promise<number> =>
    (await prometheus.query(`count(${expression})`, nowMs))[0]?.value ?? 0;

  test('as many running pods as the description has', async () => {
    expect(await count('kube_pod_status_phase{phase="Running",pod!="kafka-1"} == 1')).toBe(
      cluster.pods.filter((pod) => runsAt(pod, nowMs) && pod.name !== 'kafka-1').length,
    );
  });

  test('every pod of the API, finished ones too, and none that is gone', async () => {
    expect(await count('kube_pod_info{pod!="kafka-1"}')).toBe(
      cluster.pods.filter((pod) => existsAt(pod, nowMs) && pod.name !== 'kafka-1').length,
    );
  });

  test('two uids of the recreated pod at the same time', async () => {
    expect(await count('kube_pod_info{namespace="data",pod="kafka-1"}')).toBe(2);
  });

  test('no usage on the node whose cAdvisor target is gone, and `up` says so', async () => {
    const selector = `{node="${caseNodes.scrapeHole}",metrics_path="/metrics/cadvisor"}`;
    expect(await count(`container_memory_working_set_bytes${selector}`)).toBe(0);
    expect(await prometheus.query(`up${selector}`, nowMs)).toMatchObject([{ value: 0 }]);
    expect(await count('container_memory_working_set_bytes{id="/"}')).toBe(cluster.nodes.length - 1);
  });

  test('evictions on both memory signals of the node under pressure', async () => {
    const answer = await prometheus.query('kubelet_evictions', nowMs);
    expect(answer.map(({ labels }) => [labels.node, labels.eviction_signal]).toSorted()).toEqual([
      [caseNodes.underPressure, 'allocatableMemory.available'],
      [caseNodes.underPressure, 'memory.available'],
    ]);
    expect(await count('kube_pod_status_reason{reason="Evicted"} == 1')).toBeGreaterThan(3);
  });

  test('a restarted container counted twice, unless it is deduplicated first', async () => {
    const containers = 'container_memory_working_set_bytes{container!="",pod=~"flaky-bridge-.*"}';
    const [twice] = await prometheus.query(`sum(${containers})`, nowMs);
    const [once] = await prometheus.query(`sum(max by (namespace, pod, container) (${containers}))`, nowMs);
    expect([twice?.value, once?.value]).toEqual([mi(560), mi(280)]);
  });
});

describe('a small cluster of a test', () => {
  test('says what was said of it, and stays fresh while time passes', async () => {
    const small = clusterOf({
      nowMs,
      priorityClasses: { gold: 10 },
      nodes: [{ name: 'n1', capacityBytes: gi(4) }],
      pods: [
        {
          namespace: 'a',
          name: 'x',
          node: 'n1',
          priorityClass: 'gold',
          containers: [{ request: mi(100), usage: mi(70) }],
        },
      ],
    });
    // An hour ago: Prometheus 3 takes nothing that is more than ten minutes ahead of its clock.
    const historyEndMs = nowMs - hourMs;
    const laterMs = nowMs;
    const history = { startMs: historyEndMs - 10 * minuteMs, endMs: historyEndMs };
    const prometheus = await startPrometheusWith(seriesOf(small, { ...history, scheduler: 'honored' }));
    try {
      const answer = await prometheus.query('kube_pod_resource_request', historyEndMs);
      expect(answer.map(({ labels, value }) => [labels.priority, labels.unit, value])).toEqual([
        ['10', 'bytes', mi(100)],
      ]);
      expect(await queryInstant(prometheus.url, 'kube_pod_info', laterMs)).toEqual([]);
      const writer = startLiveWriter({
        url: prometheus.url,
        cluster: small,
        writtenToMs: historyEndMs,
        clock: () => laterMs,
        onError: (error) => expect.unreachable(String(error)),
      });
      await writer.stop();
      expect(await queryInstant(prometheus.url, 'kube_pod_info', laterMs)).toHaveLength(1);
      expect(await queryInstant(prometheus.url, podCgroup, laterMs)).toMatchObject([
        { value: mi(70) + 352 * 1024 },
      ]);
    } finally {
      await prometheus.stop();
    }
  });
});
