import { FailureSignal } from './failures.ts';

/** What came back, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** How far the clock here is ahead of the backend's, by its `Date`; a second more or less. */
  readonly clockAheadMs: number | undefined;
}

/** `data.stats.samples` of an answer to `stats=all`. */
export interface QueryStats {
  readonly totalQueryableSamples: number;
  readonly peakSamples: number;
}

/** The outer object of an answer, good or bad, in the terms of the HTTP API. */
export interface Envelope {
  readonly status: 'success' | 'error';
  readonly errorType: string | undefined;
  readonly error: string | undefined;
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
  /** Set by VictoriaMetrics clusters. */
  readonly isPartial: boolean;
  readonly data: unknown;
}

/** A JSON object (and not an array), or undefined. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

export function malformed(detail: string): FailureSignal {
  return new FailureSignal({ kind: 'malformed', detail });
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The text of the syntax error quotes the body, which may be a page with anything in it.
    return undefined;
  }
}

function readTexts(value: unknown, field: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
  throw malformed(`"${field}" of the answer is not a list of texts`);
}

/** Reads the outer object. Signals `malformed` for anything that is not an answer of a query API. */
export function parseEnvelope(body: string): Envelope {
  if (/^\s*</.test(body)) throw malformed('the answer is an HTML page');
  if (body.trim() === '') throw malformed('the answer is empty');
  const json = asObject(parseJson(body));
  if (json === undefined) throw malformed(`the answer is not JSON, or was cut (${body.length} characters)`);
  const { status } = json;
  if (status !== 'success' && status !== 'error') {
    throw malformed('the answer is JSON, but has no "status" of "success" or "error"');
  }
  return {
    status,
    errorType: typeof json.errorType === 'string' ? json.errorType : undefined,
    error: typeof json.error === 'string' ? json.error : undefined,
    warnings: readTexts(json.warnings, 'warnings'),
    infos: readTexts(json.infos, 'infos'),
    isPartial: json.isPartial === true,
    data: json.data,
  };
}

/** The sample counts, or undefined where the backend does not report them (as VictoriaMetrics and older versions). */
export function parseStats(data: unknown): QueryStats | undefined {
  const samples = asObject(asObject(asObject(data)?.stats)?.samples);
  const total = samples?.totalQueryableSamples;
  const peak = samples?.peakSamples;
  if (typeof total !== 'number' || typeof peak !== 'number') return undefined;
  return { totalQueryableSamples: total, peakSamples: peak };
}
