import type { InstantQuery, RangeQuery, Sample, Series } from './client.ts';
import type { Dialect } from './dialects/dialect.ts';
import { FailureSignal } from './failures.ts';
import { parseSeries, type RowParser, samplesParser } from './rows.ts';

/** A query in the terms of the HTTP API. */
export interface QueryCall<Row> {
  readonly id: string;
  readonly path: 'query' | 'query_range';
  readonly query: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly parse: RowParser<Row>;
  readonly signal: AbortSignal | undefined;
}

/** Seconds with milliseconds, as every backend reads them. */
function formatSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

export function instantCall({ id, query, timeMs, texts, signal }: InstantQuery): QueryCall<Sample> {
  const parameters = { time: formatSeconds(timeMs) };
  return { id, path: 'query', query, parameters, parse: samplesParser(texts), signal };
}

export function rangeCall({ id, query, startMs, endMs, stepMs, signal }: RangeQuery): QueryCall<Series> {
  const parameters = {
    start: formatSeconds(startMs),
    end: formatSeconds(endMs),
    step: formatSeconds(stepMs),
  };
  return { id, path: 'query_range', query, parameters, parse: parseSeries, signal };
}

/** The address of an API path below `base`; parameters of the URL stay, the user and the password do not. */
export function apiUrl(base: URL, path: string): string {
  const url = new URL(base);
  url.username = '';
  url.password = '';
  url.hash = '';
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/api/v1/${path}`;
  return url.href;
}

/** The body of the request. Signals `too_large` for a query that the backend would refuse to read. */
export function buildForm(call: QueryCall<unknown>, dialect: Dialect, remainingMs: number): URLSearchParams {
  const bytes = Buffer.byteLength(call.query);
  if (dialect.maxQueryBytes !== undefined && bytes > dialect.maxQueryBytes) {
    const detail = `the query has ${bytes} bytes, and the backend reads at most ${dialect.maxQueryBytes}`;
    throw new FailureSignal({ kind: 'too_large', detail });
  }
  // The backend stops, too, once nobody waits any more.
  const timeout = `${Math.max(1, Math.ceil(remainingMs))}ms`;
  return new URLSearchParams({ query: call.query, ...call.parameters, timeout, ...dialect.parameters });
}
