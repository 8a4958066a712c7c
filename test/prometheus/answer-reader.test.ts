import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextPool } from '../../src/foundation/text-pool.ts';
import { createAnswerReader } from '../../src/prometheus/answer-reader.ts';
import { FailureSignal } from '../../src/prometheus/failures.ts';
import { parseEnvelope } from '../../src/prometheus/response.ts';
import { parseSeries, type RowParser, samplesParser } from '../../src/prometheus/rows.ts';

const pieceLength = 64;

/** Reads a body that arrives in pieces of these lengths, over and over. */
function readInPieces<Row>(body: string, parse: RowParser<Row>, lengths: readonly number[] = [40]) {
  const reader = createAnswerReader(parse, pieceLength);
  for (let at = 0, i = 0; at < body.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    reader.write(body.slice(at, at + length));
    at += length;
  }
  const readBefore = reader.rows.length;
  const rest = reader.end();
  const last = parse(parseEnvelope(rest).data, readBefore + reader.droppedPoints);
  return {
    rows: [...reader.rows, ...last.rows],
    droppedPoints: reader.droppedPoints + last.droppedPoints,
    droppedLabels: [...reader.droppedLabels, ...last.droppedLabels],
    readBefore,
    rest,
  };
}

const answer = (resultType: string, result: unknown, rest: object = {}): string =>
  JSON.stringify({ status: 'success', data: { resultType, result, stats: { samples: {} } }, ...rest });

/** Label values that look like the structure of an answer. */
const trickyText = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '},{"metric":',
    '"result":[{"metric":{}',
    '\\"},{\\"metric\\":',
    ']},"status":"error"',
    '\\',
    'ä€😀',
  ),
);
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('NaN', '+Inf', '-Inf'),
);
const metric = fc.dictionary(fc.string(), trickyText, { maxKeys: 4 });
const pieces = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });

describe('an answer read while it arrives', () => {
  it('gives the samples that it gives when read whole', () => {
    const rows = fc.array(fc.record({ metric, value: fc.tuple(fc.nat(), value) }), { maxLength: 30 });
    fc.assert(
      fc.property(rows, pieces, (result, lengths) => {
        const { data } = parseEnvelope(answer('vector', result));
        expect(
          readInPieces(answer('vector', result), samplesParser(createTextPool()), lengths),
        ).toMatchObject(samplesParser()(data));
      }),
    );
  });

  it('gives the series that it gives when read whole', () => {
    const points = fc.array(value, { minLength: 1, maxLength: 5 });
    const rows = fc.array(fc.tuple(metric, points), { maxLength: 20 });
    fc.assert(
      fc.property(rows, pieces, (given, lengths) => {
        const result = given.map(([labels, values]) => ({
          metric: labels,
          values: values.map((text, i) => [1 + i, text]),
        }));
        const { data } = parseEnvelope(answer('matrix', result));
        expect(readInPieces(answer('matrix', result), parseSeries, lengths)).toMatchObject(parseSeries(data));
      }),
    );
  });

  const samples = Array.from({ length: 100 }, (_, i) => ({
    metric: { pod: `pod-${i}` },
    value: [1, `${i}`],
  }));

  it('has read nearly all rows before the end, and keeps none of their text', () => {
    const { rows, readBefore, rest } = readInPieces(answer('vector', samples), samplesParser());
    expect(rows).toHaveLength(100);
    expect(readBefore).toBeGreaterThan(95);
    expect(rest.length).toBeLessThan(400);
  });

  it('still has its warnings and statistics', () => {
    const { rest } = readInPieces(answer('vector', samples, { warnings: ['careful'] }), samplesParser());
    expect(parseEnvelope(rest)).toMatchObject({ warnings: ['careful'], data: { stats: { samples: {} } } });
  });

  it.each([
    [
      'with spaces',
      JSON.stringify({ status: 'success', data: { resultType: 'vector', result: samples } }, null, 1),
    ],
    [
      'with its fields in another order',
      JSON.stringify({ data: { result: samples, resultType: 'vector' }, status: 'success' }),
    ],
    [
      'with values before labels',
      answer(
        'vector',
        samples.map(({ metric: labels, value: point }) => ({ value: point, metric: labels })),
      ),
    ],
    [
      'from a part of a cluster',
      `{"status":"success","isPartial":false,${answer('vector', samples).slice('{"status":"success",'.length)}`,
    ],
  ])('is read all the same %s', (_, body) => {
    expect(readInPieces(body, samplesParser()).rows).toEqual(samplesParser()(parseEnvelope(body).data).rows);
  });

  it.each([
    ['cut off within a row', (body: string) => body.slice(0, -60)],
    ['garbled within a row', (body: string) => body.replace('"pod-50"', 'pod-50')],
    ['with a label that is no text', (body: string) => body.replace('"pod-50"', '50')],
    ['cut off after the last row', (body: string) => body.slice(0, body.indexOf(',"stats"'))],
  ])('is refused where it is %s', (_, harm) => {
    expect(() => readInPieces(harm(answer('vector', samples)), samplesParser())).toThrow(FailureSignal);
  });

  it('names the row that is wrong by its number in the whole answer', () => {
    const body = answer('vector', samples).replace('"pod-50"', '50');
    expect(() => readInPieces(body, samplesParser())).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ detail: expect.stringContaining('series 50') }),
      }),
    );
  });

  it('shares equal texts of one pool', () => {
    const pool = createTextPool();
    const body = answer('vector', [{ metric: { pod: 'a-rather-long-pod-name' }, value: [1, '1'] }]);
    const read = () => readInPieces(body, samplesParser(pool)).rows;
    expect(read()).toEqual(read());
    expect(pool('a-rather-long-pod-name')).toBe('a-rather-long-pod-name');
  });
});
