import { describe, expect, it } from 'vitest';
import type { OwnedPod } from '../../src/model/pod.ts';
import type { PeakWindow } from '../../src/window/peak-window.ts';
import { type Refusal, startStandIn } from './stand-in-prometheus.ts';
import {
  cgroupOf,
  hourMs,
  minuteMs,
  podInfo,
  podOf,
  refreshAt,
  replicaSetOwner,
  windowOver,
} from './window-case.ts';

const noonMs = 483_000 * hourMs;
const web = { kind: 'Deployment', name: 'web' };
const webKey = { cluster: undefined, namespace: 'shop', ...web };

function minutely(pod: string, fromMs: number, toMs: number, bytes: number) {
  const count = Math.floor((toMs - fromMs) / minuteMs) + 1;
  return cgroupOf(
    pod,
    Array.from({ length: count }, (_, i) => [fromMs + i * minuteMs, bytes]),
  );
}

function peakOf(window: PeakWindow, pod: OwnedPod): number | undefined {
  return window.podPeak({ ...pod, requestBytes: undefined })?.peakBytes;
}

describe('a steady refresh', () => {
  it('asks for the time since the last one and two minutes before it, once', async () => {
    const standIn = await startStandIn([minutely('db-0', noonMs - 30 * hourMs, noonMs, 5)], {
      leftOpen: false,
    });
    const keeper = windowOver(standIn.url, { windowMs: 24 * hourMs });
    await keeper.update(refreshAt(noonMs - 30 * minuteMs, [podOf('db-0')]));
    standIn.asked.length = 0;
    await keeper.update(refreshAt(noonMs - 29 * minuteMs, [podOf('db-0')]));
    expect(standIn.asked.map(({ rangeMs, timesMs }) => [rangeMs, timesMs])).toEqual([
      [3 * minuteMs, [noonMs - 29 * minuteMs]],
    ]);
  });

  it('finishes an hour and begins the next, each sample in its own', async () => {
    const standIn = await startStandIn([minutely('db-0', noonMs - 30 * hourMs, noonMs + hourMs, 5)], {
      leftOpen: false,
    });
    const keeper = windowOver(standIn.url, { windowMs: 24 * hourMs });
    for (let minutes = -70; minutes < 0; minutes += 5) {
      await keeper.update(refreshAt(noonMs + minutes * minuteMs, [podOf('db-0')]));
    }
    standIn.asked.length = 0;
    const window = await keeper.update(refreshAt(noonMs + minuteMs, [podOf('db-0')]));
    expect(standIn.asked.map(({ rangeMs, timesMs }) => [rangeMs, timesMs])).toEqual([
      [7 * minuteMs, [noonMs]],
      [minuteMs, [noonMs + minuteMs]],
    ]);
    expect(window.coverageRatio).toBe(1);
  });

  it('does not take an hour for covered of which it has only asked for the end', async () => {
    const standIn = await startStandIn([minutely('db-0', noonMs - 30 * hourMs, noonMs + hourMs, 5)], {
      leftOpen: false,
    });
    const keeper = windowOver(standIn.url, { windowMs: 2 * hourMs, backfillMs: { first: 0, later: 0 } });
    await keeper.update(refreshAt(noonMs + minuteMs, [podOf('db-0')]));
    const second = await keeper.update(refreshAt(noonMs + 2 * minuteMs, [podOf('db-0')]));
    expect(standIn.asked.map(({ rangeMs }) => rangeMs)).toEqual([minuteMs, minuteMs, 2 * minuteMs]);
    expect(second.coverageRatio).toBe(0);
  });

  it('after a break asks for the running hour and backfills the others', async () => {
    const standIn = await startStandIn([minutely('db-0', noonMs - 30 * hourMs, noonMs, 5)], {
      leftOpen: false,
    });
    const keeper = windowOver(standIn.url, { windowMs: 24 * hourMs });
    await keeper.update(refreshAt(noonMs - 3.5 * hourMs, [podOf('db-0')]));
    standIn.asked.length = 0;
    const window = await keeper.update(refreshAt(noonMs - 30 * minuteMs, [podOf('db-0')]));
    expect(standIn.asked.map(({ rangeMs, timesMs }) => [rangeMs, timesMs.length, timesMs.at(-1)])).toEqual([
      [30 * minuteMs, 1, noonMs - 30 * minuteMs],
      [hourMs, 3, noonMs - hourMs],
    ]);
    expect(window.coverageRatio).toBe(1);
  });
});

describe('a refresh whose question fails', () => {
  const failure: Refusal = { status: 500, errorType: 'internal', error: 'disk on fire' };

  it('shows the peaks it has, tells why, and makes up for it', async () => {
    const standIn = await startStandIn([minutely('db-0', noonMs - 4 * hourMs, noonMs, 5)], {
      leftOpen: false,
    });
    const keeper = windowOver(standIn.url, { windowMs: 3 * hourMs });
    await keeper.update(refreshAt(noonMs - 10 * minuteMs, [podOf('db-0')]));
    standIn.series = [...standIn.series, cgroupOf('db-0', [[noonMs - 9 * minuteMs, 77]])];
    standIn.refuse = () => failure;
    const failed = await keeper.update(refreshAt(noonMs - 8 * minuteMs, [podOf('db-0')]));
    expect(peakOf(failed, podOf('db-0'))).toBe(5);
    expect(failed.problems).toMatchObject([{ kind: 'window_query_failed', subject: 'pod_peak' }]);
    expect(failed.problems[0]?.message).toContain('disk on fire');
    standIn.refuse = () => undefined;
    const later = await keeper.update(refreshAt(noonMs - 5 * minuteMs, [podOf('db-0')]));
    expect(peakOf(later, podOf('db-0'))).toBe(77);
    expect(later.problems).toEqual([]);
  });

  it('tries smaller questions after a timeout at the next refresh, not in the same one', async () => {
    const pods = [podOf('db-0'), podOf('other-0')];
    const standIn = await startStandIn(
      pods.map(({ name }) => minutely(name, noonMs - 2 * hourMs, noonMs, 5)),
      { leftOpen: false },
    );
    const timeout: Refusal = {
      status: 503,
      errorType: 'timeout',
      error: 'query timed out in expression evaluation',
    };
    standIn.refuse = ({ series, metric }) =>
      metric.startsWith('container') && series > 1 ? timeout : undefined;
    const keeper = windowOver(standIn.url, { windowMs: hourMs, backfillMs: { first: 0, later: 0 } });
    const failed = await keeper.update(refreshAt(noonMs - minuteMs, pods));
    expect(standIn.asked).toHaveLength(1);
    expect(failed.problems).toMatchObject([{ kind: 'window_query_failed' }]);
    const later = await keeper.update(refreshAt(noonMs, pods));
    expect(standIn.asked).toHaveLength(3);
    expect(later.problems).toEqual([]);
    expect(pods.map((pod) => peakOf(later, pod))).toEqual([5, 5]);
  });

  it('is given up at once when it is cancelled', async () => {
    const standIn = await startStandIn([], { leftOpen: false });
    const keeper = windowOver(standIn.url);
    const cancelled = keeper.update({
      ...refreshAt(noonMs, [podOf('db-0')]),
      signal: AbortSignal.abort(),
    });
    await expect(cancelled).rejects.toMatchObject({ name: 'PrometheusError', kind: 'canceled' });
    await expect(keeper.update(refreshAt(noonMs, [podOf('db-0')]))).resolves.toBeDefined();
  });
});

describe('the peaks of a workload', () => {
  it('outlive a pod that is replaced from one refresh to the next', async () => {
    const standIn = await startStandIn(
      [
        minutely('web-1-a', noonMs - hourMs, noonMs - 31 * minuteMs, 900),
        minutely('web-2-b', noonMs - 30 * minuteMs, noonMs, 5),
      ],
      { leftOpen: false },
    );
    const keeper = windowOver(standIn.url, { windowMs: 3 * hourMs, backfillMs: { first: 0, later: 0 } });
    await keeper.update(refreshAt(noonMs - 40 * minuteMs, [podOf('web-1-a', web)]));
    let window = await keeper.update(refreshAt(noonMs, [podOf('web-2-b', web)]));
    // Hours later the old pod's own row is long gone.
    for (const later of [1, 2]) {
      window = await keeper.update(refreshAt(noonMs + later * hourMs, [podOf('web-2-b', web)]));
      expect(window.workloadPeakBytes(webKey)).toBe(900);
    }
    expect(peakOf(window, podOf('web-1-a', web))).toBeUndefined();
    window = await keeper.update(refreshAt(noonMs + 4 * hourMs, [podOf('web-2-b', web)]));
    expect(window.workloadPeakBytes(webKey)).toBeUndefined();
  });

  it('include pods that came and went before the first refresh of the hour', async () => {
    const times = [noonMs - 55 * minuteMs, noonMs - 54 * minuteMs];
    const standIn = await startStandIn(
      [
        minutely('web-2-b', noonMs - 3 * hourMs, noonMs + hourMs, 5),
        minutely('web-1-a', noonMs - 55 * minuteMs, noonMs - 54 * minuteMs, 900),
        podInfo('web-1-a', { kind: 'ReplicaSet', name: 'web-1' }, times),
        replicaSetOwner('web-1', 'web', times),
      ],
      { leftOpen: false },
    );
    const keeper = windowOver(standIn.url, { windowMs: 2 * hourMs });
    let window: PeakWindow | undefined;
    for (let minutes = -35; minutes <= 5; minutes += 5) {
      window = await keeper.update(refreshAt(noonMs + minutes * minuteMs, [podOf('web-2-b', web)]));
    }
    expect(window?.workloadPeakBytes(webKey)).toBe(900);
    expect(window?.coverageRatio).toBe(1);
  });

  it('include a pod between two refreshes that nobody saw alive, once its hour has ended', async () => {
    const seen = [noonMs - 30 * minuteMs];
    const standIn = await startStandIn(
      [
        minutely('web-2-b', noonMs - 3 * hourMs, noonMs + hourMs, 5),
        cgroupOf('web-1-a', [[noonMs - 30 * minuteMs, 900]]),
        podInfo('web-1-a', { kind: 'ReplicaSet', name: 'web-1' }, seen),
        replicaSetOwner('web-1', 'web', seen),
      ],
      { leftOpen: false },
    );
    const keeper = windowOver(standIn.url, { windowMs: 2 * hourMs });
    const peaks: (number | undefined)[] = [];
    for (let minutes = -70; minutes <= 5; minutes += 5) {
      const window = await keeper.update(refreshAt(noonMs + minutes * minuteMs, [podOf('web-2-b', web)]));
      peaks.push(window.workloadPeakBytes(webKey));
    }
    expect(peaks.at(-3)).toBe(5);
    expect(peaks.at(-1)).toBe(900);
  });

  it('include finished pods that are still listed', async () => {
    const job = { kind: 'CronJob', name: 'report' };
    const standIn = await startStandIn([cgroupOf('report-1-x', [[noonMs - 3 * minuteMs, 70]])], {
      leftOpen: false,
    });
    const window = await windowOver(standIn.url, {
      windowMs: hourMs,
      backfillMs: { first: 0, later: 0 },
    }).update({
      ...refreshAt(noonMs - minuteMs, []),
      finishedPods: [podOf('report-1-x', job)],
    });
    expect(window.workloadPeakBytes({ cluster: undefined, namespace: 'shop', ...job })).toBe(70);
  });

  it('count the hours with data of any of its pods', async () => {
    const standIn = await startStandIn(
      [
        minutely('web-2-b', noonMs - 3 * hourMs + 1, noonMs - 2 * hourMs, 5),
        minutely('web-2-c', noonMs - hourMs + 1, noonMs, 7),
      ],
      { leftOpen: false },
    );
    const window = await windowOver(standIn.url, { windowMs: 24 * hourMs }).update(
      refreshAt(noonMs, [podOf('web-2-b', web), podOf('web-2-c', web)]),
    );
    expect(window.observedHours(webKey)).toBe(2);
    expect(window.observedHours({ ...webKey, name: 'other' })).toBe(0);
    expect(window.workloadPeakBytes({ ...webKey, name: 'other' })).toBeUndefined();
  });
});

describe('a pod that comes back under its old name', () => {
  it('has its old peaks where its name is its own, as Prometheus would answer', async () => {
    const standIn = await startStandIn(
      [
        cgroupOf('db-0', [
          [noonMs - 20 * hourMs - minuteMs, 900],
          [noonMs - minuteMs, 5],
        ]),
      ],
      { leftOpen: false },
    );
    const keeper = windowOver(standIn.url, { windowMs: 24 * hourMs });
    await keeper.update(refreshAt(noonMs - 20 * hourMs, [podOf('db-0')]));
    for (let hours = 19; hours > 0; hours--)
      await keeper.update(refreshAt(noonMs - hours * hourMs, [podOf('x')]));
    const window = await keeper.update(refreshAt(noonMs, [podOf('db-0')]));
    expect(peakOf(window, podOf('db-0'))).toBe(900);
  });
});

describe('time over the request', () => {
  it.each([
    ['is the share of the hours with data', 5, 1 / 3],
    ['counts every hour where nothing is requested', 0, 1],
    ['does not count a peak equal to the request', 9, 0],
    ['is unknown where the request is', undefined, undefined],
  ])('%s', async (_, requestBytes, ratio) => {
    const standIn = await startStandIn(
      [
        cgroupOf('db-0', [
          [noonMs - 4.5 * hourMs, 5],
          [noonMs - 2.5 * hourMs, 9],
          [noonMs - 2.4 * hourMs, 3],
          [noonMs - 0.5 * hourMs, 4],
        ]),
      ],
      { leftOpen: false },
    );
    const window = await windowOver(standIn.url, { windowMs: 24 * hourMs }).update(
      refreshAt(noonMs, [podOf('db-0')]),
    );
    expect(window.podPeak({ ...podOf('db-0'), requestBytes })).toEqual({
      peakBytes: 9,
      timeOverRequestRatio: ratio,
    });
  });
});
