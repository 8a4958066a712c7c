// Written by hand because one answer holds 150,000 series: a schema library would cost more than the JSON itself.
import type { LabelPool, Labels, Sample, Series } from './client.ts';
import { asObject, malformed } from './response.ts';

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly droppedPoints: number;
  /** Labels of the samples that were dropped; of series over time none. */
  readonly droppedLabels: readonly Labels[];
}

/**
 * Reads `data` of an answer, or a part of its rows.
 * @param firstIndex number of the first row, for messages.
 */
export type RowParser<Row> = (data: unknown, firstIndex?: number) => Rows<Row>;

/** Shorter texts are shared by `JSON.parse` itself. */
const shortestPooledText = 11;

/** What Go's `strconv.FormatFloat` writes for a finite number; `Number` alone would read "" as 0 and "0x10" as 16. */
const FINITE_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const NON_FINITE = new Set(['NaN', '+Inf', '-Inf', 'Inf']);

/**
 * What lies beyond is nobody's bytes, seconds or count: a double holds every whole number up to here, and no machine has
 * as much memory (8Pi). Such values are dropped as NaN is, so that no sum or ratio of what is left is infinite.
 */
const LARGEST_VALUE = Number.MAX_SAFE_INTEGER;

/** The number of a point, or undefined for NaN, ±Inf and what is too large to be true. */
function parseValue(text: unknown, index: number): number | undefined {
  if (typeof text !== 'string') throw malformed(`a value of series ${index} is not a text`);
  if (FINITE_NUMBER.test(text)) {
    const value = Number(text);
    return Math.abs(value) <= LARGEST_VALUE ? value : undefined;
  }
  if (NON_FINITE.has(text)) return undefined;
  throw malformed(`a value of series ${index} is not a number`);
}

/** Both halves of `[<seconds>, "<value>"]`, the time still in seconds. */
function parsePoint(point: unknown, index: number): { seconds: number; value: number | undefined } {
  if (!Array.isArray(point) || point.length !== 2)
    throw malformed(`a point of series ${index} is not a pair`);
  const seconds: unknown = point[0];
  if (typeof seconds !== 'number') throw malformed(`a time of series ${index} is not a number`);
  return { seconds, value: parseValue(point[1], index) };
}

function parseLabels(row: Readonly<Record<string, unknown>>, index: number, texts?: LabelPool): Labels {
  const metric = asObject(row.metric) as Record<string, unknown> | undefined;
  if (metric === undefined) throw malformed(`series ${index} has no "metric" object`);
  for (const name in metric) {
    const text = metric[name];
    if (typeof text !== 'string') throw malformed(`a label of series ${index} is not a text`);
    // In place: the object was just parsed, and a copy of a million of them costs.
    if (texts !== undefined && text.length >= shortestPooledText) metric[name] = texts(text, name);
  }
  return metric as Labels;
}

function parseResult(data: unknown, expected: string): readonly unknown[] {
  const result = asObject(data);
  if (result === undefined) throw malformed('the answer has no "data" object');
  const type = result.resultType;
  if (type !== expected) {
    throw malformed(`the answer is of type ${String(type)} where a ${expected} was asked for`);
  }
  if (!Array.isArray(result.result)) throw malformed('the answer has no "result" list');
  return result.result;
}

function parseRow(row: unknown, index: number): Readonly<Record<string, unknown>> {
  const object = asObject(row);
  if (object === undefined) throw malformed(`series ${index} is not an object`);
  return object;
}

/**
 * Reads samples of an instant query: a vector, or a scalar as one sample without labels. Native histograms are dropped.
 * @param texts shares equal label values among all answers read with it.
 */
export function samplesParser(texts?: LabelPool): RowParser<Sample> {
  return (data, firstIndex = 0) => {
    if (asObject(data)?.resultType === 'scalar') {
      const { value } = parsePoint(parseResult(data, 'scalar'), 0);
      return value === undefined
        ? { rows: [], droppedPoints: 1, droppedLabels: [{}] }
        : { rows: [{ labels: {}, value }], droppedPoints: 0, droppedLabels: [] };
    }
    const rows: Sample[] = [];
    const droppedLabels: Labels[] = [];
    const result = parseResult(data, 'vector');
    for (let i = 0; i < result.length; i += 1) {
      const index = firstIndex + i;
      const row = parseRow(result[i], index);
      const labels = parseLabels(row, index, texts);
      // A native histogram stands in `histogram` in place of `value`.
      const isHistogram = row.value === undefined && Array.isArray(row.histogram);
      const value = isHistogram ? undefined : parsePoint(row.value, index).value;
      if (value === undefined) droppedLabels.push(labels);
      else rows.push({ labels, value });
    }
    return { rows, droppedPoints: droppedLabels.length, droppedLabels };
  };
}

function parseSeriesRow(row: Readonly<Record<string, unknown>>, index: number): Series & { points: number } {
  const labels = parseLabels(row, index);
  // A series may mix numbers and native histograms, or hold only the latter.
  const histograms = Array.isArray(row.histograms) ? row.histograms.length : 0;
  const points: unknown = row.values ?? (histograms > 0 ? [] : undefined);
  if (!Array.isArray(points)) throw malformed(`series ${index} has no "values" list`);
  const timesMs: number[] = [];
  const values: number[] = [];
  let previousMs = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const { seconds, value } = parsePoint(point, index);
    const timeMs = Math.round(seconds * 1000);
    if (timeMs <= previousMs) throw malformed(`the times of series ${index} do not ascend`);
    previousMs = timeMs;
    if (value === undefined) continue;
    timesMs.push(timeMs);
    values.push(value);
  }
  return { labels, timesMs, values, points: points.length + histograms };
}

/** Series of a range query. A series left without a finite point is dropped with its points. */
export const parseSeries: RowParser<Series> = (data, firstIndex = 0) => {
  const rows: Series[] = [];
  let droppedPoints = 0;
  const result = parseResult(data, 'matrix');
  for (let i = 0; i < result.length; i += 1) {
    const index = firstIndex + i;
    const { labels, timesMs, values, points } = parseSeriesRow(parseRow(result[i], index), index);
    droppedPoints += points - values.length;
    if (values.length > 0) rows.push({ labels, timesMs, values });
  }
  return { rows, droppedPoints, droppedLabels: [] };
};
