import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import type { PodSpec } from '../../src/demo/cluster/pod.ts';
import { hourMs, mi, minuteMs } from '../../src/demo/cluster/units.ts';
import { collectContainerHours } from '../../src/inputs/container-hours.ts';
import { collectRestingJobs } from '../../src/inputs/job-inputs.ts';
import { collectReviewInputs } from '../../src/inputs/review-inputs.ts';
import { joinWorkloadFacts } from '../../src/model/workload-facts.ts';
import { clientFor } from '../prometheus/settings.ts';
import { clusterOf } from '../support/cluster.ts';
import { plainScope as scope } from '../support/plain-scope.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';

const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
const windowMs = 24 * hourMs;

const podsOf = (namespace: string, count: number): PodSpec[] =>
  Array.from({ length: count }, (_, i) => ({
    namespace,
    name: `web-${i}`,
    node: 'n1',
    owner: { kind: 'StatefulSet', name: 'web' },
    containers: [
      { name: 'app', request: mi(100), usage: mi(50 + i) },
      { name: 'proxy', request: mi(50), usage: mi(20) },
    ],
  }));

/** A finished pod of a run of a CronJob. */
const run = (cronJob: string, agoHours: number, requestMi: number | undefined): PodSpec => {
  const job = `${cronJob}-${Math.floor((nowMs - agoHours * hourMs) / minuteMs)}`;
  return {
    namespace: 'batch',
    name: `${job}-xyz`,
    node: 'n1',
    owner: { kind: 'Job', name: job },
    workload: { kind: 'CronJob', name: cronJob },
    containers: [{ request: requestMi === undefined ? undefined : mi(requestMi), usage: mi(40) }],
    createdMs: nowMs - agoHours * hourMs,
    deletedMs: nowMs - agoHours * hourMs + 20 * minuteMs,
  };
};

const cluster = clusterOf({
  nowMs,
  nodes: [{ name: 'n1' }],
  pods: [
    ...podsOf('shop', 12),
    ...podsOf('data', 12),
    run('etl', 20, 800),
    run('etl', 10, 300),
    run('etl', 4, 200),
    run('bare', 6, undefined),
    run('busy', 3, 500),
  ],
});
const knownPods = new Map(
  ['shop', 'data'].map((namespace) => [namespace, podsOf(namespace, 12).map(({ name }) => name)]),
);
const isRunning = ({ labels }: { labels: Readonly<Record<string, string>> }) => labels.owner_name === 'busy';

let free: TestPrometheus;
/** Holds no more than this at once for a query: less than one value of each container. */
let limited: TestPrometheus;
beforeAll(async () => {
  const series = () =>
    seriesOf(cluster, { startMs: nowMs - 26 * hourMs, endMs: nowMs, stateStepMs: minuteMs });
  [free, limited] = await Promise.all([
    startPrometheusWith(series()),
    startPrometheusWith(series(), { flags: ['--query.max-samples=100'] }),
  ]);
});
afterAll(async () => {
  await free?.stop();
  await limited?.stop();
});

async function containerHoursFrom({ url }: TestPrometheus) {
  const hours = new Map<string, number>();
  let pieces = 0;
  const lastEndMs = Math.floor(nowMs / hourMs) * hourMs;
  await collectContainerHours(
    { client: clientFor(url), scope, knownPods },
    { firstEndMs: lastEndMs - 5 * hourMs, lastEndMs },
    (rows) => {
      pieces++;
      for (const { labels, timesMs, values } of rows) {
        for (const [i, timeMs] of timesMs.entries()) {
          const key = [labels.namespace, labels.pod, labels.container, timeMs].join('/');
          hours.set(key, Math.max(hours.get(key) ?? 0, values[i] ?? Number.NaN));
        }
      }
    },
  );
  return { hours, pieces };
}

describe('where a backend holds only so much', () => {
  test('hours of containers are asked for in fewer hours and then in parts of the pods, and none is lost', async () => {
    const [whole, parts] = [await containerHoursFrom(free), await containerHoursFrom(limited)];
    expect(whole.pieces).toBe(1);
    // More than an hour at a time would take.
    expect(parts.pieces).toBeGreaterThan(6);
    expect(whole.hours.size).toBeGreaterThanOrEqual(24 * 2 * 6);
    expect(parts.hours).toEqual(whole.hours);
  });

  test('containers, requests and limits are asked for in parts, too', async () => {
    const ask = async ({ url }: TestPrometheus) => {
      const collected = await collectReviewInputs({
        client: clientFor(url),
        scope,
        timeMs: nowMs,
        windowMs,
        knownPods,
        isRunning,
      });
      expect(joinWorkloadFacts(collected).gaps.filter((gap) => gap.includes('failed'))).toEqual([]);
      return Object.entries(collected.rows).map(([id, { samples }]) => [
        id,
        samples.map(({ labels, value }) => JSON.stringify([Object.entries(labels).sort(), value])).sort(),
      ]);
    };
    expect(await ask(limited)).toEqual(await ask(free));
  });
});

describe('CronJobs between two runs', () => {
  test('have the request of their last run, 0 where it had none, and none while they run', async () => {
    const collected = await collectReviewInputs({
      client: clientFor(free.url),
      scope,
      timeMs: nowMs,
      windowMs,
      knownPods,
      isRunning,
    });
    const found = joinWorkloadFacts(collected).restingCronJobs.map(({ workload, requestBytes }) => [
      workload.name,
      requestBytes,
    ]);
    expect(Object.fromEntries(found)).toEqual({ etl: mi(200), bare: 0 });
  });

  test('are asked for by the pods of these runs alone', async () => {
    const client = clientFor(free.url);
    const { pods } = await collectRestingJobs({ client, scope, timeMs: nowMs, windowMs, isRunning });
    expect(pods.map(({ labels }) => labels.pod).filter((name) => name?.startsWith('etl'))).toHaveLength(1);
  });
});
