import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WrittenSeries } from '../../src/demo/remote-write.ts';
import type { DialectName } from '../../src/prometheus/dialects/dialect.ts';
import type { HttpPrometheusClient } from '../../src/prometheus/http-client.ts';
import { createPrometheusClient } from '../../src/prometheus/http-client.ts';
import { labelMatcher, oneOf, quoteString, selector } from '../../src/prometheus/selector.ts';
import { startPrometheusWith } from '../support/prometheus.ts';
import { startVictoriaMetricsWith } from '../support/victoriametrics.ts';
import { clientFor, failureOf, settingsFor } from './settings.ts';
import { type Backend, PROMETHEUS, startBackend, VICTORIA_METRICS } from './start-prometheus.ts';

const STRANGE_VALUES = [
  'plain',
  'a"b',
  'a\\b',
  'a\nb',
  '"},x{y="',
  'größe ☃ 𝕏',
  'a.b|c',
  '$1',
  ' ',
  "it's",
  'a\uFFFDb',
];

/** As the text format escapes label values (backslash, quote and newline only). */
function escapeExposition(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}

const EXPOSITION = [
  ...STRANGE_VALUES.map((value, index) => `strange{value="${escapeExposition(value)}"} ${index}`),
  ...Array.from({ length: 150 }, (_, index) => `many{pod="pod-${index}"} ${index}`),
  'not_finite{kind="nan"} NaN',
  'not_finite{kind="positive"} +Inf',
  'not_finite{kind="negative"} -Inf',
  'not_finite{kind="absurd"} 1.5e+300',
  'not_finite{kind="largest"} 9007199254740991',
  '',
].join('\n');

interface RealBackend {
  readonly dialect: DialectName;
  readonly program: typeof PROMETHEUS;
  /** One that reads at most so many samples for a query. */
  readonly startLimited: (
    series: Iterable<WrittenSeries>,
    maxSamples: number,
  ) => Promise<{ readonly url: string; stop(): Promise<void> }>;
}

const BACKENDS: readonly RealBackend[] = [
  {
    dialect: 'prometheus',
    program: PROMETHEUS,
    startLimited: (series, maxSamples) =>
      startPrometheusWith(series, { flags: [`--query.max-samples=${maxSamples}`] }),
  },
  {
    dialect: 'victoriametrics',
    program: VICTORIA_METRICS,
    startLimited: (series, maxSamples) =>
      startVictoriaMetricsWith(series, [`-search.maxSamplesPerQuery=${maxSamples}`]),
  },
];

describe.each(BACKENDS)('a real $dialect', ({ dialect, program, startLimited }) => {
  let backend: Backend;
  let client: HttpPrometheusClient;

  const ask = (query: string) => client.instant({ id: 'q', query, timeMs: Date.now() });

  beforeAll(async () => {
    backend = await startBackend(program, EXPOSITION);
    client = createPrometheusClient(settingsFor(backend.url, { dialect, timeoutMs: 10_000 }));
    await vi.waitFor(async () => expect((await ask('count(many)')).rows[0]?.value).toBe(150), {
      timeout: 30_000,
      interval: 200,
    });
  });

  afterAll(async () => {
    client.close();
    await backend.stop();
  });

  test('answers an instant query with every sample and its labels', async () => {
    const { rows } = await ask('many');
    expect(rows).toHaveLength(150);
    for (const { labels, value } of rows) expect(labels.pod).toBe(`pod-${value}`);
  });

  test('answers a range query with ascending times on the step', async () => {
    const stepMs = 5_000;
    const endMs = Math.floor(Date.now() / stepMs) * stepMs + 2 * stepMs;
    const query = { id: 'q', query: 'many{pod="pod-7"}', startMs: endMs - 60_000, endMs, stepMs };
    const series = await vi.waitFor(async () => {
      const { rows } = await client.range(query);
      expect(rows[0]?.values.length).toBeGreaterThan(1);
      return rows;
    }, 15_000);
    expect(series).toHaveLength(1);
    expect(series[0]?.labels.pod).toBe('pod-7');
    expect(new Set(series[0]?.values)).toEqual(new Set([7]));
    expect(series[0]?.timesMs.every((timeMs) => timeMs % stepMs === 0)).toBe(true);
  });

  test('answers a scalar', async () => {
    expect((await ask('scalar(count(many))')).rows).toEqual([{ labels: {}, value: 150 }]);
  });

  test('has NaN, infinities and absurd values dropped and counted', async () => {
    // VictoriaMetrics leaves NaN out by itself.
    const { rows, droppedPoints } = await ask('max by (kind) (not_finite)');
    expect(rows).toEqual([{ labels: { kind: 'largest' }, value: 9_007_199_254_740_991 }]);
    expect(droppedPoints).toBe(dialect === 'prometheus' ? 4 : 3);
  });

  test.each(STRANGE_VALUES)('finds exactly the series with the value %j', async (value) => {
    const expected = [{ labels: { value }, value: STRANGE_VALUES.indexOf(value) }];
    const equal = selector('strange', [labelMatcher('value', '=', value)]);
    expect((await ask(`max by (value) (${equal})`)).rows).toEqual(expected);
    const literal = selector('strange', [oneOf('value', [value, 'other'])]);
    expect((await ask(`max by (value) (${literal})`)).rows).toEqual(expected);
    const rest = selector('strange', [labelMatcher('value', '!=', value)]);
    expect((await ask(`count(${rest})`)).rows[0]?.value).toBe(STRANGE_VALUES.length - 1);
    const byName = `{${labelMatcher('__name__', '=', 'strange')},${labelMatcher('value', '=', value)}}`;
    expect((await ask(`max by (value) (${byName})`)).rows).toEqual(expected);
  });

  test('reads any quoted text as that text', async () => {
    // `absent` answers with the labels that were asked for by equality.
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const control = fc.string({ unit: fc.nat(0x9f).map((code) => String.fromCodePoint(code)), minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, control), async (value) => {
        const { rows } = await ask(`absent(nothing{value=${quoteString(value)}})`);
        expect(rows).toEqual([{ labels: { value }, value: 1 }]);
      }),
      { numRuns: 200 },
    );
  });

  test('refuses a syntax error as a bad query', async () => {
    const error = await failureOf(ask('sum(many'));
    expect(error.kind).toBe('bad_query');
  });

  test('refuses too many samples as too large', async () => {
    const timeMs = Date.now() - 1_000;
    const series = Array.from({ length: 20 }, (_, i) => ({
      labels: { __name__: 'crowd', pod: `pod-${i}` },
      timesMs: [timeMs],
      values: [1],
    }));
    const limited = await startLimited(series, 10);
    onTestFinished(() => limited.stop());
    const few = clientFor(limited.url, { dialect });
    expect((await few.instant({ id: 'q', query: 'crowd{pod="pod-7"}', timeMs })).rows).toHaveLength(1);
    expect((await failureOf(few.instant({ id: 'q', query: 'crowd', timeMs }))).kind).toBe('too_large');
  });

  test('refuses too fine a resolution as too large', async () => {
    const endMs = Date.now();
    const query = { id: 'q', query: 'many', startMs: endMs - 40_000_000, endMs, stepMs: 1_000 };
    expect((await failureOf(client.range(query))).kind).toBe('too_large');
  });

  test('answers not found below a wrong path', async () => {
    const wrong = createPrometheusClient(settingsFor(`${backend.url}/wrong`, { dialect }));
    const error = await failureOf(wrong.instant({ id: 'q', query: 'up', timeMs: Date.now() }));
    wrong.close();
    expect(['not_found', 'bad_query']).toContain(error.kind);
  });

  test('tells the samples it read, where it does', async () => {
    const { stats } = await ask('many');
    if (dialect === 'prometheus') expect(stats).toEqual({ totalQueryableSamples: 150, peakSamples: 150 });
    else expect(stats).toBeUndefined();
  });

  test('keeps or drops the metric name of a function as documented', async () => {
    const { rows } = await ask('max_over_time(many{pod="pod-1"}[1m])');
    expect(rows[0]?.labels.__name__).toBe(dialect === 'victoriametrics' ? 'many' : undefined);
  });
});
