import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import type { PodSpec } from '../../src/demo/cluster/pod.ts';
import { hourMs, mi, minuteMs } from '../../src/demo/cluster/units.ts';
import type { Answer, PrometheusClient, Sample } from '../../src/prometheus/client.ts';
import { PrometheusError } from '../../src/prometheus/failures.ts';
import { createSizingKeeper, type SizingKnowledge } from '../../src/snapshot/sizing-keeper.ts';
import { noWindow } from '../../src/window/no-window.ts';
import type { PeakWindow } from '../../src/window/peak-window.ts';
import { clientFor } from '../prometheus/settings.ts';
import { clusterOf } from '../support/cluster.ts';
import { plainScope as scope } from '../support/plain-scope.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';
import { podOf } from './sample-snapshot.ts';

const windowMs = 24 * hourMs;
const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
const ended = (reason: 'OOMKilled' | 'Error', ...hoursAgo: number[]) =>
  hoursAgo.map((hours) => ({ atMs: nowMs - hours * hourMs, reason }));

function podNamed(name: string, workload: string, rest: Partial<PodSpec>): PodSpec {
  return {
    namespace: 'shop',
    name,
    node: 'n1',
    owner: { kind: 'StatefulSet', name: workload },
    containers: [{ request: mi(100), limit: mi(200) }],
    ...rest,
  };
}

const restarting = (name: string, restarts: ReturnType<typeof ended>, rest: Partial<PodSpec> = {}): PodSpec =>
  podNamed(`${name}-0`, name, { containers: [{ request: mi(100), limit: mi(200), restarts }], ...rest });

const cluster = {
  ...clusterOf({
    nowMs,
    nodes: [{ name: 'n1' }],
    pods: [
      restarting('killed', ended('OOMKilled', 20, 9, 2)),
      restarting('crashing', ended('Error', 20, 9, 2)),
      // The reason stays for as long as the container does not end again.
      restarting('killed-long-ago', ended('OOMKilled', 40)),
      restarting('mixed', [...ended('Error', 20, 15), ...ended('OOMKilled', 9), ...ended('Error', 2)]),
      restarting('gone', ended('OOMKilled', 9), { deletedMs: nowMs - 5 * hourMs }),
      restarting('rolled-out', ended('OOMKilled', 9), {
        owner: { kind: 'ReplicaSet', name: 'rolled-out-5d4c' },
        workload: { kind: 'Deployment', name: 'rolled-out' },
        deletedMs: nowMs - 5 * hourMs,
      }),
      restarting('nightly', ended('OOMKilled', 9), {
        owner: { kind: 'Job', name: 'nightly-28000000' },
        workload: { kind: 'CronJob', name: 'nightly' },
        deletedMs: nowMs - 5 * hourMs,
      }),
      podNamed('calm-0', 'calm', {}),
    ],
  }),
  autoscalers: [{ namespace: 'shop', name: 'scaler', target: { kind: 'StatefulSet', name: 'calm' } }],
};
const keyOf = (name: string, kind = 'StatefulSet') => ({ cluster: undefined, namespace: 'shop', kind, name });

describe('what recommended requests depend on, in a real Prometheus', () => {
  let prometheus: TestPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheusWith(
      seriesOf(cluster, { startMs: nowMs - 48 * hourMs, endMs: nowMs, stateStepMs: minuteMs }),
    );
  });
  afterAll(() => prometheus.stop());

  const lookAt = (): Promise<SizingKnowledge> =>
    createSizingKeeper({ client: clientFor(prometheus.url), scope, windowMs }).update({
      evaluatedAtMs: nowMs,
      pods: cluster.pods
        .filter(({ deletedMs }) => deletedMs === undefined)
        .map(({ namespace, name, workload }) => podOf({ namespace, name, workload })),
      window: noWindow,
    });

  test.each<[string, string, number, string?]>([
    ['every OOM kill of the window counts', 'killed', 3],
    ['other ends do not', 'crashing', 0],
    ['nor does a kill before the window, though its reason is still shown', 'killed-long-ago', 0],
    ['of a container that ended for several reasons only the kills count', 'mixed', 1],
    ['a pod that is gone counts for its workload', 'gone', 1],
    ['nor does it matter that its ReplicaSet is gone, too', 'rolled-out', 1, 'Deployment'],
    ['or its Job', 'nightly', 1, 'CronJob'],
    ['a workload without any has none', 'calm', 0],
  ])('%s', async (_what, name, kills, kind) => {
    expect((await lookAt()).oomKills(keyOf(name, kind))).toBe(kills);
  });

  test('an autoscaler on memory is seen, at its target alone', async () => {
    const { hasMemoryAutoscaler } = await lookAt();
    expect([hasMemoryAutoscaler(keyOf('calm')), hasMemoryAutoscaler(keyOf('killed'))]).toEqual([true, false]);
  });
});

/** Answers everything with nothing, but fails or never ends where it is told to; counts what it was asked. */
function scriptedClient(): PrometheusClient & { questions: number; fails?: RegExp; hangs?: RegExp } {
  const answer: Answer<Sample> = {
    rows: [],
    droppedPoints: 0,
    droppedLabels: [],
    warnings: [],
    infos: [],
    stats: undefined,
  };
  const error = (kind: 'unavailable' | 'canceled') =>
    new PrometheusError({ kind, detail: 'it is starting' }, { id: 'x', url: 'http://x' });
  return {
    questions: 0,
    instant({ id, signal }) {
      this.questions++;
      if (this.fails?.test(id)) return Promise.reject(error('unavailable'));
      if (!this.hangs?.test(id)) return Promise.resolve(answer);
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(error('canceled'))),
      );
    },
    range: () => Promise.reject(new Error('nothing is asked over time')),
  };
}

/** Pods grow all week, or not at all. */
function windowWith(coverageRatio: number, isLeaking: boolean): PeakWindow {
  const hours = Array.from({ length: 168 }, (_, i) => (isLeaking ? mi(100 + 5 * i) : mi(100)));
  return { ...noWindow, coverageRatio, podHours: () => hours };
}

describe('keeping what recommended requests depend on', () => {
  const pod = podOf({ name: 'a-0', workload: { kind: 'StatefulSet', name: 'a' } });
  const workload = { cluster: undefined, namespace: 'default', kind: 'StatefulSet', name: 'a' };
  const start = 1_700_000_000_000;

  test('asks once an hour', async () => {
    const client = scriptedClient();
    const keeper = createSizingKeeper({ client, scope, windowMs });
    for (let minutes = 0; minutes < 60; minutes++) {
      await keeper.update({ evaluatedAtMs: start + minutes * minuteMs, pods: [], window: noWindow });
    }
    const inFirstHour = client.questions;
    await keeper.update({ evaluatedAtMs: start + hourMs, pods: [], window: noWindow });
    expect([inFirstHour, client.questions]).toEqual([3, 6]);
  });

  test('says nothing of OOM kills where the metric that tells them is not there', async () => {
    const keeper = createSizingKeeper({ client: scriptedClient(), scope, windowMs });
    const known = await keeper.update({ evaluatedAtMs: start, pods: [], window: noWindow });
    expect(known.oomKills(workload)).toBeUndefined();
  });

  test('tells a failure, goes on, and asks again after ten minutes', async () => {
    const client = scriptedClient();
    client.fails = /oom_killed/;
    const keeper = createSizingKeeper({ client, scope, windowMs });
    const at = (minutes: number) =>
      keeper.update({ evaluatedAtMs: start + minutes * minuteMs, pods: [pod], window: windowWith(1, true) });
    const failed = await at(0);
    expect(failed.problems.map(({ kind }) => kind)).toEqual(['input_failed']);
    expect(failed.leakOf(workload)).toMatchObject({ resets: 0 });
    delete client.fails;
    expect((await at(5)).problems).toHaveLength(1);
    expect((await at(10)).problems).toEqual([]);
  });

  test('lets a failure of one question cost nothing of the others', async () => {
    const client = scriptedClient();
    client.fails = /autoscalers/;
    const keeper = createSizingKeeper({ client, scope, windowMs });
    const { problems } = await keeper.update({ evaluatedAtMs: start, pods: [], window: noWindow });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/^autoscalers on memory/)]);
  });

  test('holds up a refresh no longer than it may, and tells what was not answered', async () => {
    const client = scriptedClient();
    client.hangs = /oom_killed/;
    const keeper = createSizingKeeper({ client, scope, windowMs, timeoutMs: 100 });
    const startedAt = performance.now();
    const { problems } = await keeper.update({ evaluatedAtMs: start, pods: [], window: noWindow });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^OOM kills could not be asked for: not all of them were answered/),
    ]);
  });

  test('ends at once where the refresh is given up', async () => {
    const client = scriptedClient();
    client.hangs = /./;
    const keeper = createSizingKeeper({ client, scope, windowMs, timeoutMs: 60_000 });
    const abort = new AbortController();
    const update = keeper.update({
      evaluatedAtMs: start,
      pods: [],
      window: noWindow,
      signal: abort.signal,
    });
    abort.abort();
    await expect(update).rejects.toMatchObject({ kind: 'canceled' });
  });

  test('looks for leaks again when the window fills, and when an hour has passed', async () => {
    const keeper = createSizingKeeper({ client: scriptedClient(), scope, windowMs });
    const leakAt = async (minutes: number, window: PeakWindow) =>
      (await keeper.update({ evaluatedAtMs: start + minutes * minuteMs, pods: [pod], window })).leakOf(
        workload,
      ) !== undefined;
    expect(await leakAt(0, windowWith(0.3, false))).toBe(false);
    expect(await leakAt(1, windowWith(0.35, true))).toBe(false);
    expect(await leakAt(2, windowWith(1, true))).toBe(true);
    expect(await leakAt(3, windowWith(1, false))).toBe(true);
    expect(await leakAt(62, windowWith(1, false))).toBe(false);
  });
});
