import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FailureSignal } from '../../src/prometheus/failures.ts';
import { parseEnvelope, parseStats } from '../../src/prometheus/response.ts';
import { parseSeries, samplesParser } from '../../src/prometheus/rows.ts';

const parseSamples = samplesParser();
const vector = (...result: unknown[]) => ({ resultType: 'vector', result });
const matrix = (...result: unknown[]) => ({ resultType: 'matrix', result });
const sample = (value: unknown, metric: unknown = { pod: 'a' }) => ({ metric, value: [1, value] });

function malformedBy(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof FailureSignal && error.failure.kind === 'malformed') return error.failure.detail;
    throw error;
  }
  return 'nothing is malformed';
}

test.each([
  ['0', 0],
  ['-0', -0],
  ['1', 1],
  ['-1.5', -1.5],
  ['1e+06', 1_000_000],
  ['5e-324', 5e-324],
  ['9007199254740991', 9_007_199_254_740_991],
  ['-9007199254740991', -9_007_199_254_740_991],
])('the value "%s" is %d', (text, value) => {
  expect(parseSamples(vector(sample(text)))).toEqual({
    rows: [{ labels: { pod: 'a' }, value }],
    droppedPoints: 0,
    droppedLabels: [],
  });
});

test.each(['NaN', '+Inf', '-Inf', 'Inf', '1e999', '1e308', '-1e308', '9007199254740993'])(
  'the value "%s" is dropped and counted, and whose it was is known',
  (text) => {
    expect(parseSamples(vector(sample('1'), sample(text)))).toEqual({
      rows: [{ labels: { pod: 'a' }, value: 1 }],
      droppedPoints: 1,
      droppedLabels: [{ pod: 'a' }],
    });
    expect(
      parseSeries(
        matrix({
          metric: {},
          values: [
            [1, '1'],
            [2, text],
          ],
        }),
      ),
    ).toEqual({
      rows: [{ labels: {}, timesMs: [1_000], values: [1] }],
      droppedPoints: 1,
      droppedLabels: [],
    });
  },
);

test('a scalar is one sample without labels, and a scalar that is not finite is dropped', () => {
  expect(parseSamples({ resultType: 'scalar', result: [1, '2'] })).toEqual({
    rows: [{ labels: {}, value: 2 }],
    droppedPoints: 0,
    droppedLabels: [],
  });
  expect(parseSamples({ resultType: 'scalar', result: [1, 'NaN'] })).toEqual({
    rows: [],
    droppedPoints: 1,
    droppedLabels: [{}],
  });
});

test('native histograms are dropped and counted', () => {
  const histogram = { metric: { pod: 'h' }, histogram: [1, { count: '3', sum: '4' }] };
  expect(parseSamples(vector(histogram, sample('1')))).toMatchObject({
    rows: [{ value: 1 }],
    droppedPoints: 1,
  });
  const mixed = {
    metric: { pod: 'm' },
    values: [[1, '1']],
    histograms: [
      [2, {}],
      [3, {}],
    ],
  };
  const only = { metric: { pod: 'o' }, histograms: [[1, {}]] };
  expect(parseSeries(matrix(mixed, only))).toEqual({
    rows: [{ labels: { pod: 'm' }, timesMs: [1_000], values: [1] }],
    droppedPoints: 3,
    droppedLabels: [],
  });
});

test('a series without a finite point is dropped with its points', () => {
  expect(
    parseSeries(
      matrix({
        metric: {},
        values: [
          [1, 'NaN'],
          [2, '+Inf'],
        ],
      }),
    ),
  ).toEqual({ rows: [], droppedPoints: 2, droppedLabels: [] });
});

test('times are rounded to milliseconds', () => {
  const series = parseSeries(
    matrix({
      metric: {},
      values: [
        [1_700_000_000.123, '1'],
        [1_700_000_060.1235, '2'],
      ],
    }),
  );
  expect(series.rows[0]?.timesMs).toEqual([1_700_000_000_123, 1_700_000_060_124]);
});

test.each([
  ['no data', () => parseSamples(undefined), /no "data"/],
  ['data that are a list', () => parseSamples([]), /no "data"/],
  ['a matrix for an instant query', () => parseSamples(matrix()), /type matrix where a vector/],
  ['a vector for a range query', () => parseSeries(vector()), /type vector where a matrix/],
  ['a string answer', () => parseSamples({ resultType: 'string', result: [1, 'x'] }), /type string/],
  ['no result', () => parseSamples({ resultType: 'vector' }), /no "result"/],
  ['a result that is null', () => parseSamples({ resultType: 'vector', result: null }), /no "result"/],
  ['a row that is null', () => parseSamples(vector(sample('1'), null)), /series 1 is not an object/],
  ['a series without labels', () => parseSamples(vector({ value: [1, '1'] })), /series 0 has no "metric"/],
  ['labels that are a list', () => parseSamples(vector(sample('1', []))), /no "metric"/],
  ['a label that is a number', () => parseSamples(vector(sample('1', { pod: 1 }))), /label of series 0/],
  ['a value that is a number', () => parseSamples(vector(sample(1))), /not a text/],
  ['a value that is empty', () => parseSamples(vector(sample(''))), /not a number/],
  ['a value in hexadecimal', () => parseSamples(vector(sample('0x10'))), /not a number/],
  ['a value with a unit', () => parseSamples(vector(sample('1Ki'))), /not a number/],
  ['a point without a value', () => parseSamples(vector({ metric: {}, value: [1] })), /not a pair/],
  ['a row without a value', () => parseSamples(vector({ metric: {} })), /not a pair/],
  [
    'a time that is a text',
    () => parseSamples(vector({ metric: {}, value: ['1', '1'] })),
    /time of series 0/,
  ],
  ['a series without values', () => parseSeries(matrix({ metric: {} })), /no "values"/],
  [
    'times that go back',
    () =>
      parseSeries(
        matrix({
          metric: {},
          values: [
            [2, '1'],
            [1, '1'],
          ],
        }),
      ),
    /ascend/,
  ],
  [
    'a time given twice',
    () =>
      parseSeries(
        matrix({
          metric: {},
          values: [
            [1, '1'],
            [1, '2'],
          ],
        }),
      ),
    /ascend/,
  ],
  ['warnings that are no texts', () => parseEnvelope('{"status":"success","warnings":[1]}'), /"warnings"/],
  ['a bare null', () => parseEnvelope('null'), /not JSON/],
])('%s is malformed', (_name, parse, detail) => {
  expect(malformedBy(parse)).toMatch(detail);
});

test('what is malformed is described without its content', () => {
  expect(malformedBy(() => parseEnvelope('{"status":"success","secret'))).not.toContain('secret');
});

test('sample counts are read where they are, and undefined elsewhere', () => {
  const samples = { totalQueryableSamples: 3, peakSamples: 2, totalQueryableSamplesPerStep: [[1, 3]] };
  expect(parseStats({ stats: { timings: {}, samples } })).toEqual({
    totalQueryableSamples: 3,
    peakSamples: 2,
  });
  expect(parseStats({ stats: { seriesFetched: '3' } })).toBeUndefined();
  expect(parseStats({ stats: { samples: { totalQueryableSamples: '3' } } })).toBeUndefined();
  expect(parseStats(null)).toBeUndefined();
});

/** JSON near enough to an answer to get past the first checks. */
const nearlyData = fc.record({
  resultType: fc.constantFrom('vector', 'matrix', 'scalar', 'string', null),
  result: fc.oneof(
    fc.jsonValue(),
    fc.array(
      fc.record(
        {
          metric: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
          value: fc.oneof(
            fc.tuple(fc.double(), fc.oneof(fc.string(), fc.constantFrom('1', 'NaN'))),
            fc.jsonValue(),
          ),
          values: fc.oneof(fc.array(fc.tuple(fc.nat(), fc.constantFrom('1', 'NaN', ''))), fc.jsonValue()),
          histogram: fc.jsonValue(),
          histograms: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    ),
  ),
});

test('any JSON is read to numbers below 2^53 and text labels, or is malformed', () => {
  fc.assert(
    fc.property(fc.oneof(nearlyData, fc.jsonValue()), (data) => {
      for (const parse of [parseSamples, parseSeries]) {
        try {
          const { rows, droppedPoints } = parse(JSON.parse(JSON.stringify(data)));
          expect(droppedPoints).toBeGreaterThanOrEqual(0);
          for (const row of rows) {
            const values = 'values' in row ? row.values : [row.value];
            for (const value of values) expect(Math.abs(value)).toBeLessThan(2 ** 53);
            for (const label of Object.values(row.labels)) expect(typeof label).toBe('string');
            if ('timesMs' in row) expect(row.timesMs).toHaveLength(row.values.length);
          }
        } catch (error) {
          if (!(error instanceof FailureSignal)) throw error;
          expect(error.failure.kind).toBe('malformed');
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('any text is an envelope or malformed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        expect(['success', 'error']).toContain(parseEnvelope(text).status);
      } catch (error) {
        if (!(error instanceof FailureSignal)) throw error;
        expect(error.failure.kind).toBe('malformed');
      }
    }),
  );
});
