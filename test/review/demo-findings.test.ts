import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import { buildDemoCluster } from '../../src/demo/cluster/demo-cluster.ts';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import { hourMs, mi } from '../../src/demo/cluster/units.ts';
import { compareText } from '../../src/foundation/text-order.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { type ReviewJson, reviewOutput, runReview } from '../support/review.ts';

const cluster = buildDemoCluster({ nowMs: Date.now() });
const { nowMs } = cluster;

let prometheus: TestPrometheus;
let review: ReviewJson;

beforeAll(async () => {
  // A little over a day: the least that anything is recommended from.
  prometheus = await startPrometheusWith(
    seriesOf(cluster, { startMs: nowMs - 27 * hourMs, endMs: nowMs, usageStepMs: 4 * 60_000 }),
  );
  review = await runReview(cluster, prometheus.url);
}, 60_000);
afterAll(() => prometheus.stop());

const named = (name: string) => {
  const found = review.workloads.find((one) => `${one.namespace}/${one.workload}` === name);
  if (found === undefined) throw new Error(`no workload ${name}`);
  return found;
};
const idsOf = (name: string): string[] => named(name).findings.map(({ id }) => id);

describe('the review of the demo cluster', () => {
  test.each([
    ['wasteful', 'analytics/report-builder', 'over_requested'],
    ['over-requested on one node', 'analytics/warehouse', 'over_requested'],
    ['under-requested', 'shop/checkout', 'under_requested'],
    ['over its request for all its priority', 'payments/fraud-scorer', 'under_requested'],
    ['leaking', 'search/indexer', 'leak_trend'],
    ['OOM-killed', 'media/transcoder', 'oom_killed'],
    ['spiky', 'analytics/cube-refresh', 'spiky'],
    ['short-lived', 'ci/preview-412', 'short_history'],
    ['sidecar-injected', 'shop/cart', 'injected_class'],
    ['made Burstable by a LimitRange', 'sandbox/notebook', 'limit_range_class'],
    ['Guaranteed of low priority', 'batch/model-scorer', 'guaranteed_low_priority'],
    ['without a request', 'tools/link-checker', 'no_request'],
    ['without a request in a namespace that matters', 'payments/receipt-mailer', 'no_request'],
  ])('gives the %s workload the finding it was made for and no other', (_what, name, id) => {
    expect(idsOf(name)).toEqual([id]);
  });

  test('finds nothing in the workloads that are as they should be', () => {
    const calm = [
      'shop/catalog',
      'shop/gateway',
      'payments/authorizer',
      'payments/ledger',
      'search/query',
      'data/postgres',
      'media/captions',
      'media/waveforms',
      'batch/hourly-etl',
      'batch/cleanup',
      'platform/session-store',

      'tools/legacy-proxy',
      'sandbox/untrusted-runner',
      'shop/storefront',
      'logging/vector',
    ];
    expect(calm.flatMap((name) => idsOf(name).map((id) => `${name}: ${id}`))).toEqual([]);
  });

  test.each([
    ['short-lived', 'ci/preview-412', 'less than a day of data'],
    ['leaking', 'search/indexer', 'its memory grows until it is restarted, so no request is enough'],
    [
      'scaled on memory',
      'shop/recommendations',
      'scaled on memory by a HorizontalPodAutoscaler: another request changes the number of pods',
    ],
    ['without stats', 'platform/ghost', 'no memory usage is known'],
  ])('recommends nothing for the %s workload, and says why', (_what, name, reason) => {
    expect(named(name)).toMatchObject({ recommendedRequestBytes: null, noRecommendation: reason });
  });

  test('has the numbers that the service exports', async () => {
    const text = await reviewOutput(cluster, prometheus.url, [], 'snapshot');
    const { snapshot } = JSON.parse(text) as {
      snapshot: { workloads: { workload: Record<string, string>; recommendedRequestBytes: number | null }[] };
    };
    const exported = snapshot.workloads.map(({ workload, recommendedRequestBytes }) => [
      `${workload.namespace}/${workload.kind}/${workload.name}`,
      recommendedRequestBytes,
    ]);
    const reviewed = review.workloads
      .filter(({ replicas }) => replicas > 0)
      .map((row) => [`${row.namespace}/${row.workloadKind}/${row.workload}`, row.recommendedRequestBytes]);
    expect(Object.fromEntries(exported)).toEqual(Object.fromEntries(reviewed));
  });

  test('shows percentiles of every container', () => {
    for (const { peakBytes, p99Bytes, p95Bytes } of named('shop/cart').containers) {
      expect(p95Bytes).toBeGreaterThan(0);
      expect(p99Bytes).toBeGreaterThanOrEqual(p95Bytes ?? Number.NaN);
      expect(peakBytes).toBeGreaterThanOrEqual(p99Bytes ?? Number.NaN);
    }
  });

  test('names the node that is full by requests alone, and the ones full by use alone', () => {
    const found = review.nodes.flatMap(({ node, findings }) => findings.map(({ id }) => [node, id]));
    expect(found).toEqual([
      [caseNodes.underPressure, 'eviction_problem'],
      [caseNodes.overRequested, 'scheduling_problem'],
      [caseNodes.nearThreshold, 'eviction_problem'],
    ]);
  });

  test('names what concerns the whole cluster', () => {
    expect(review.cluster.findings.map(({ id }) => id)).toEqual([
      'priority_inflation',
      'request_above_any_node',
    ]);
  });

  test('joins every kind of owner', () => {
    const kinds = new Set(review.workloads.map(({ workloadKind }) => workloadKind));
    expect([...kinds].toSorted(compareText)).toEqual([
      'CronJob',
      'DaemonSet',
      'Deployment',
      'Job',
      'Node',
      'Pod',
      'ReplicaSet',
      'StatefulSet',
    ]);
  });

  test('counts generations of pods that are gone', async () => {
    const usage = 'container_memory_working_set_bytes{namespace="shop",pod=~"storefront-.*",container=""}';
    const peaks = await prometheus.query(`max by (pod) (max_over_time(${usage}[28h]))`, nowMs);
    expect(peaks.length).toBeGreaterThan(6);
    expect(named('shop/storefront')).toMatchObject({
      replicas: 6,
      peakBytes: Math.max(...peaks.map(({ value }) => value)),
    });
  });

  test('says what following it does', () => {
    expect(named('tools/link-checker')).toMatchObject({
      podsLeavingFirstGroup: 3,
      qosBefore: 'BestEffort',
      qosAfter: 'Burstable',
    });
    const { changeBytes, recommendedRequestBytes, requestBytes } = named('analytics/report-builder');
    expect(changeBytes).toBe(6 * ((recommendedRequestBytes ?? 0) - (requestBytes ?? 0)));
    const { freedBytes, addedBytes, nodesNeeded } = review.cluster;
    const changes = review.workloads.map((one) => one.changeBytes ?? 0);
    expect(addedBytes - freedBytes).toBe(changes.reduce((sum, bytes) => sum + bytes, 0));
    expect(nodesNeeded?.recommended.nodes).toBeLessThanOrEqual(nodesNeeded?.now.nodes ?? 0);
    expect(nodesNeeded?.now.nodes).toBeLessThan(review.cluster.nodes);
  });

  test('sizes a workload scaled on memory where that is asked for', async () => {
    const text = await reviewOutput(cluster, prometheus.url, [
      '--output=json',
      '--include-memory-autoscaled',
    ]);
    const { workloads } = JSON.parse(text) as ReviewJson;
    const scaled = workloads.find(({ workload }) => workload === 'recommendations');
    expect(scaled).toMatchObject({ recommendedRequestBytes: expect.any(Number), noRecommendation: null });
  });

  test('doubles the margin after OOM kills', () => {
    expect(named('media/transcoder')).toMatchObject({ margin: 0.3, oomKills: 2 });
  });

  test('keeps what init containers need', () => {
    expect(named('payments/ledger')).toMatchObject({
      recommendedRequestBytes: mi(896),
      floor: 'init_container',
    });
  });

  test('recommends the peak of the highest container share by share', () => {
    const { containers, recommendedRequestBytes } = named('shop/cart');
    expect(containers.map(({ name }) => name)).toEqual(['cart', 'istio-proxy']);
    const sum = containers.reduce((total, one) => total + (one.recommendedRequestBytes ?? 0), 0);
    expect(sum).toBeGreaterThanOrEqual(recommendedRequestBytes ?? Number.POSITIVE_INFINITY);
    expect(sum).toBeLessThanOrEqual((recommendedRequestBytes ?? 0) + mi(2));
  });

  test('holds the same workloads as CSV, as a page and as patches', async () => {
    const output = (...flags: string[]) => reviewOutput(cluster, prometheus.url, flags);
    const csv = await output('--output=csv');
    expect(csv.trim().split('\n')).toHaveLength(review.workloads.length + 1);
    const html = (await output('--output=html')).replaceAll('<wbr>', '');
    for (const { namespace, workloadKind, workload } of review.workloads) {
      const name = `${namespace}/${workloadKind}/${workload}`;
      expect(html).toContain(name);
    }
    const patches = parseAllDocuments(await output('--patch'))
      .map((document) => document.toJS() as { metadata: { name: string } } | null)
      .map((patch) => patch?.metadata.name);
    expect(patches).toContain('checkout');
    expect(patches).not.toContain('indexer');
    expect(patches).not.toContain('preview-412');
  });
});
