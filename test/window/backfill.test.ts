import { describe, expect, it } from 'vitest';
import type { OwnedPod } from '../../src/model/pod.ts';
import { type AskedQuery, startStandIn, tooManySamples } from './stand-in-prometheus.ts';
import { cgroupOf, hourMs, minuteMs, podOf, refreshAt, windowOver } from './window-case.ts';

const noonMs = 483_000 * hourMs;
const usage = 'container_memory_working_set_bytes';

/** One sample in each of the last hours, of a value that names the pod and the hour. */
function hourly(pod: string, hours: number, namespace = 'shop') {
  const samples = Array.from({ length: hours }, (_, i): [number, number] => [
    noonMs - (hours - 1 - i) * hourMs - 30 * minuteMs,
    1_000 + i + pod.length,
  ]);
  return cgroupOf(pod, samples, namespace);
}

const manyPods: OwnedPod[] = ['alpha', 'beta', 'gamma', 'delta'].flatMap((namespace) =>
  Array.from({ length: 5 }, (_, i) => ({ ...podOf(`db-${i}`), namespace })),
);
const manySeries = manyPods.map(({ name, namespace }) => hourly(name, 48, namespace));

function pastQueries(asked: readonly AskedQuery[]): AskedQuery[] {
  return asked.filter(
    ({ metric, rangeMs, timesMs }) => metric === usage && (timesMs.length > 1 || rangeMs === hourMs),
  );
}

describe('the backfill', () => {
  it('asks for days, newest first', async () => {
    const standIn = await startStandIn([hourly('db-0', 50)], { leftOpen: false });
    const window = await windowOver(standIn.url, { windowMs: 48 * hourMs }).update(
      refreshAt(noonMs, [podOf('db-0')]),
    );
    expect(window.coverageRatio).toBe(1);
    const past = pastQueries(standIn.asked).slice(1);
    expect(past.map(({ timesMs }) => [timesMs.length, timesMs.at(-1)])).toEqual([
      [24, noonMs],
      [24, noonMs - 24 * hourMs],
    ]);
  });

  it('leaves the first refresh at once with what it has, and tells how far it is', async () => {
    const standIn = await startStandIn([hourly('db-0', 50)], { leftOpen: false });
    const lines: unknown[] = [];
    const note = (fields: unknown, message: string): void => void lines.push({ message, fields });
    const keeper = windowOver(standIn.url, {
      windowMs: 48 * hourMs,
      backfillMs: { first: 0, later: Number.POSITIVE_INFINITY },
      logger: { debug: () => undefined, info: note, warn: note, error: note } as never,
    });
    const first = await keeper.update(refreshAt(noonMs - minuteMs, [podOf('db-0')]));
    expect(standIn.asked).toHaveLength(1);
    expect(first.coverageRatio).toBe(0);
    // The running hour is there already.
    expect(first.podPeak({ ...podOf('db-0'), requestBytes: 1 })).toEqual({
      peakBytes: 1_053,
      timeOverRequestRatio: 1,
    });
    expect(lines).toEqual([]);
    const second = await keeper.update(refreshAt(noonMs, [podOf('db-0')]));
    expect(second.coverageRatio).toBe(1);
    expect(lines).toEqual([
      {
        message: 'window complete',
        fields: { coveredHours: 48, windowHours: 48, questions: 2, hours: 24, shards: 1 },
      },
    ]);
  });

  it('goes on at the next refresh with what it had no time for', async () => {
    const standIn = await startStandIn([hourly('db-0', 200)], { leftOpen: false });
    let elapsedMs = 0;
    // Each look at the clock takes two seconds, so that a round has time for a few questions only.
    const keeper = windowOver(standIn.url, {
      clock: () => noonMs,
      monotonicMs: () => (elapsedMs += 2_000),
      backfillMs: { first: 9_000, later: 9_000 },
    });
    const ratios: number[] = [];
    for (let i = 0; i < 4; i++) {
      ratios.push((await keeper.update(refreshAt(noonMs, [podOf('db-0')]))).coverageRatio);
    }
    expect(ratios[0]).toBeGreaterThan(0);
    expect(ratios[0]).toBeLessThan(1);
    expect(ratios.toSorted((a, b) => a - b)).toEqual(ratios);
    expect(ratios.at(-1)).toBe(1);
    const hours = pastQueries(standIn.asked).flatMap(({ timesMs }) => (timesMs.length > 1 ? timesMs : []));
    expect(new Set(hours).size).toBe(hours.length);
  });
});

describe('a backend that answers "too many samples"', () => {
  it('is asked for less time, then by namespace and pod, and never again for more than it takes', async () => {
    const standIn = await startStandIn(manySeries, { leftOpen: false });
    // Even one hour of the smallest namespace is too much.
    standIn.refuse = ({ metric, series, timesMs }) =>
      metric === usage && series * timesMs.length > 3 ? tooManySamples : undefined;
    const keeper = windowOver(standIn.url, { windowMs: 48 * hourMs });
    const window = await keeper.update(refreshAt(noonMs, manyPods));
    expect(window.problems).toEqual([]);
    expect(window.coverageRatio).toBe(1);
    for (const pod of manyPods) {
      expect(window.podPeak({ ...pod, requestBytes: undefined })?.peakBytes).toBe(1_051);
    }
    const refused = standIn.asked.filter((query) => standIn.refuse(query) !== undefined);
    expect(refused.length).toBeLessThan(60);

    standIn.asked.length = 0;
    // After half an hour the running hour is asked for anew; a trial or two may be refused, no more.
    const later = await keeper.update(refreshAt(noonMs + 30 * minuteMs + 4 * minuteMs, manyPods));
    expect(later.coverageRatio).toBe(1);
    expect(standIn.asked.length).toBeGreaterThan(0);
    const trial = standIn.asked.filter((query) => standIn.refuse(query) !== undefined);
    expect(trial.length).toBeLessThanOrEqual(2);
  });

  it('is told of, with the hours left uncovered, where nothing is left to split', async () => {
    const standIn = await startStandIn([hourly('db-0', 50)], { leftOpen: false });
    standIn.refuse = ({ timesMs, rangeMs }) =>
      timesMs.length > 1 || (rangeMs === hourMs && timesMs[0] !== noonMs) ? tooManySamples : undefined;
    const window = await windowOver(standIn.url, { windowMs: 4 * hourMs }).update(
      refreshAt(noonMs, [podOf('db-0')]),
    );
    // Only the hour that ended just now was answered.
    expect(window.coverageRatio).toBe(1 / 4);
    expect(window.problems).toMatchObject([{ kind: 'window_query_failed', subject: 'pod_peak_history' }]);
  });
});

describe('a partial answer', () => {
  it('leaves its hour uncovered and its neighbours covered, and is asked for again', async () => {
    const standIn = await startStandIn([hourly('db-0', 50)], { leftOpen: false });
    const badMs = noonMs - 5 * hourMs;
    standIn.refuse = ({ metric, timesMs }) =>
      metric === usage && timesMs.includes(badMs)
        ? { warning: 'remote_read: remote server http://old returned HTTP status 502' }
        : undefined;
    const keeper = windowOver(standIn.url, { windowMs: 24 * hourMs });
    const window = await keeper.update(refreshAt(noonMs, [podOf('db-0')]));
    expect(window.coverageRatio).toBe(23 / 24);
    expect(window.problems).toMatchObject([{ kind: 'window_query_failed' }]);
    expect(window.problems[0]?.message).toContain('partial');

    standIn.refuse = () => undefined;
    standIn.asked.length = 0;
    const later = await keeper.update(refreshAt(noonMs + minuteMs, [podOf('db-0')]));
    expect(later.coverageRatio).toBe(1);
    expect(later.problems).toEqual([]);
    expect(pastQueries(standIn.asked).filter(({ timesMs }) => timesMs.includes(badMs))).toHaveLength(1);
  });
});

describe('a source that came later', () => {
  it('does not hide what the other source had before', async () => {
    const kubelet = {
      ...hourly('db-0', 3),
      labels: { __name__: 'pod_memory_working_set_bytes', namespace: 'shop', pod: 'db-0' },
    };
    const standIn = await startStandIn([kubelet, hourly('db-0', 20)], { leftOpen: false });
    const window = await windowOver(standIn.url, { windowMs: 24 * hourMs }).update(
      refreshAt(noonMs, [podOf('db-0')], 'pod_memory_working_set_bytes'),
    );
    expect(window.coverageRatio).toBe(1);
    const summary = window.podPeak({ ...podOf('db-0'), requestBytes: 1_006 });
    // Hours of the cgroup series: 1,004 up to 1,020; the newest three come from the kubelet and are 1,004 to 1,006.
    expect(summary).toEqual({ peakBytes: 1_020, timeOverRequestRatio: 14 / 20 });
  });
});
