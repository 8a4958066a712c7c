import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasThanos, startThanos, startThanosWith, type ThanosPair } from '../support/thanos.ts';
import { clientFor, failureOf } from './settings.ts';

const timeMs = Math.floor(Date.now() / 1000) * 1000;
const question = { id: 'q', query: 'many', timeMs };
const series = Array.from({ length: 20 }, (_, i) => ({
  labels: { __name__: 'many', pod: `pod-${i}` },
  timesMs: [timeMs - 60_000, timeMs],
  values: [i, i],
}));

describe.skipIf(!hasThanos)('a real Thanos (skipped where THANOS_BIN names none)', () => {
  let thanos: ThanosPair;
  beforeAll(async () => {
    thanos = await startThanosWith(series);
  });
  afterAll(() => thanos?.stop());

  const ask = (url: string) => clientFor(url, { dialect: 'thanos' }).instant(question);

  test('answers a pair of Prometheus once, without the label that tells them apart', async () => {
    const { rows, warnings, stats } = await ask(thanos.url);
    expect(new Set(rows.map(({ labels, value }) => `${Object.keys(labels)} ${labels.pod} ${value}`))).toEqual(
      new Set(series.map((_, i) => `__name__,pod pod-${i} ${i}`)),
    );
    expect(rows).toHaveLength(series.length);
    expect(warnings).toEqual([]);
    expect(stats?.totalQueryableSamples).toBe(series.length);
  });

  test('without any store is unavailable, not wrongly asked', async () => {
    const alone = await startThanos('query');
    onTestFinished(() => alone.stop());
    const error = await failureOf(ask(alone.url));
    expect(error.message).toContain('No StoreAPIs');
    expect(error.kind).toBe('unavailable');
  });

  test('with a store that never came fails only where it must have it', async () => {
    const [sidecar] = thanos.sidecars;
    const gone = '127.0.0.1:1';
    const flags = [`--endpoint=${sidecar?.grpcAddress}`, '--query.replica-label=prometheus_replica'];
    const lenient = await startThanos('query', [...flags, `--endpoint=${gone}`]);
    onTestFinished(() => lenient.stop());
    // Nothing in this answer tells that a store is missing: see docs/reliability.md.
    await expect.poll(async () => (await ask(lenient.url).catch(() => undefined))?.rows.length).toBe(20);
    expect((await ask(lenient.url)).warnings).toEqual([]);
    const strict = await startThanos('query', [...flags, `--endpoint-strict=${gone}`]);
    onTestFinished(() => strict.stop());
    expect((await failureOf(ask(strict.url))).kind).toBe('unavailable');
  });

  test('that runs out of time says so', async () => {
    const hasty = await startThanos('query', [
      `--endpoint=${thanos.sidecars[0]?.grpcAddress}`,
      '--query.timeout=1ms',
    ]);
    onTestFinished(() => hasty.stop());
    await expect.poll(async () => (await failureOf(ask(hasty.url))).kind).toBe('timeout');
  });

  // Last: it takes a store away.
  test('of which a sidecar was killed is unavailable, although the other has everything', async () => {
    process.kill(thanos.sidecars[1]?.pid ?? Number.NaN, 'SIGKILL');
    await thanos.sidecars[1]?.gone;
    const error = await failureOf(ask(thanos.url));
    expect(error.message).toContain('code = Unavailable');
    expect(error.kind).toBe('unavailable');
  });
});
