import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RemoteWriteError, remoteWrite, type WrittenSeries } from '../../src/demo/remote-write.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';

const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
const weekMs = 7 * 24 * 3_600_000;

function* weekOfMinutes(): Generator<WrittenSeries> {
  for (const pod of ['a', 'b', 'c']) {
    const timesMs = Array.from(
      { length: weekMs / 60_000 + 1 },
      (_, index) => nowMs - weekMs + index * 60_000,
    );
    yield { labels: { __name__: 'week', pod }, timesMs, values: timesMs.map((_, index) => index) };
  }
}

const gone: WrittenSeries = {
  labels: { __name__: 'gone' },
  timesMs: [nowMs - 60_000],
  values: [1],
  staleAtMs: nowMs,
};

let prometheus: TestPrometheus;
beforeAll(async () => {
  prometheus = await startPrometheusWith([...weekOfMinutes(), gone]);
});
afterAll(() => prometheus.stop());

describe('remote write to a real Prometheus', () => {
  test('every sample of seven days is there', async () => {
    const counts = await prometheus.query('count_over_time(week[8d])', nowMs);
    // In any order: Prometheus 3 has another one than 2.
    expect(counts.map(({ labels, value }) => [labels.pod, value]).sort()).toEqual([
      ['a', 10_081],
      ['b', 10_081],
      ['c', 10_081],
    ]);
    expect(await prometheus.query('max_over_time(week{pod="a"}[7d])', nowMs)).toMatchObject([
      { value: 10_080 },
    ]);
  });

  test('a sample older than those already written is accepted', async () => {
    const late = { labels: { __name__: 'late' }, timesMs: [nowMs - weekMs], values: [3] };
    await remoteWrite([{ ...late, timesMs: [nowMs], values: [4] }], { url: prometheus.url });
    await remoteWrite([late], { url: prometheus.url });
    expect(await prometheus.query('late', nowMs - weekMs)).toMatchObject([{ value: 3 }]);
    expect(await prometheus.query('late', nowMs)).toMatchObject([{ value: 4 }]);
  });

  test('a staleness marker ends a series at once, not five minutes later', async () => {
    expect(await prometheus.query('gone', nowMs - 1)).toHaveLength(1);
    expect(await prometheus.query('gone', nowMs)).toHaveLength(0);
  });

  test('an empty label value is not written', async () => {
    const series = { labels: { __name__: 'bare', image: '' }, timesMs: [nowMs], values: [1] };
    await remoteWrite([series], { url: prometheus.url });
    expect((await prometheus.query('bare', nowMs))[0]?.labels).toEqual({ __name__: 'bare' });
  });

  test('progress counts up to the totals', async () => {
    const seen: number[] = [];
    const total = await remoteWrite(weekOfMinutes(), {
      url: prometheus.url,
      samplesPerRequest: 5_000,
      onProgress: ({ samples }) => seen.push(samples),
    });
    expect(total).toEqual({ series: 3, samples: 30_243 });
    expect(seen).toEqual([10_081, 20_162, 30_243]);
  });

  test('a refusal names the address, the status and the reason', async () => {
    const future = {
      labels: { __name__: 'clash' },
      timesMs: [nowMs],
      values: [1],
    };
    await remoteWrite([future], { url: prometheus.url });
    const clash = remoteWrite([{ ...future, values: [2] }], { url: prometheus.url });
    await expect(clash).rejects.toThrow(RemoteWriteError);
    await expect(clash).rejects.toThrow(/refused with 400: .*duplicate sample/);
  });

  test('a receiver that cannot be reached is named', async () => {
    await expect(remoteWrite([gone], { url: 'http://127.0.0.1:1' })).rejects.toThrow(
      /remote write to http:\/\/127\.0\.0\.1:1 failed/,
    );
  });
});
