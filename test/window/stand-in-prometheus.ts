import type { ServerResponse } from 'node:http';
import { parseDurationMs } from '../../src/foundation/duration.ts';
import { sendJson, startWireServer, type WireServer } from '../prometheus/wire-server.ts';

/** One series as a scrape left it; times ascend. */
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

/** One query as it was asked. */
export interface AskedQuery {
  readonly expression: string;
  readonly metric: string;
  readonly rangeMs: number;
  /** Evaluation times. */
  readonly timesMs: readonly number[];
  /** Series that its selector holds. */
  readonly series: number;
}

export interface StandIn extends WireServer {
  readonly asked: AskedQuery[];
  /** May be changed at any time. */
  series: readonly StoredSeries[];
  /** Samples after this are not there yet. */
  newestMs: number;
  /** Says what is wrong with a query, as a backend would; undefined = it is answered. */
  refuse: (query: AskedQuery) => Refusal | Remark | undefined;
}

/** Answered, but with a warning: of a remote storage that did not answer, for instance. */
export interface Remark {
  readonly warning: string;
}

export interface Refusal {
  readonly status: number;
  readonly errorType: string;
  readonly error: string;
}

export const tooManySamples: Refusal = {
  status: 422,
  errorType: 'execution',
  error: 'query processing would load too many samples into memory in query execution',
};

/**
 * Answers `max by (labels) (max_over_time(metric{matchers}[range]))`, and `group by`, from the given series, in the wire format of
 * Prometheus, with the range selectors of version 2 (closed at both ends) or 3 (open on the left). The sum of containers
 * has no data here.
 */
export async function startStandIn(
  series: readonly StoredSeries[],
  options: { readonly leftOpen: boolean },
): Promise<StandIn> {
  const server = await startWireServer((response, { path, form }) => {
    const expression = form.get('query') ?? '';
    const isRange = path?.endsWith('/query_range') === true;
    if (/^(count\(|max_over_time\(\(sum by)/.test(expression)) {
      answer(response, [], { isRange });
      return;
    }
    const query = parseExpression(expression);
    const times = timesOf(form);
    const selected = standIn.series.filter(({ labels }) => query.selects(labels));
    const asked: AskedQuery = { ...query, expression, timesMs: times, series: selected.length };
    standIn.asked.push(asked);
    const refusal = standIn.refuse(asked);
    if (refusal !== undefined && 'status' in refusal) {
      const { status, errorType, error } = refusal;
      sendJson(response, { status: 'error', errorType, error }, status);
      return;
    }
    const { newestMs } = standIn;
    const rows = evaluate(selected, query, { times, newestMs, leftOpen: options.leftOpen });
    answer(response, rows, { isRange, warning: refusal?.warning });
  });
  const standIn: StandIn = Object.assign(server, {
    asked: [],
    series,
    newestMs: Number.POSITIVE_INFINITY,
    refuse: () => undefined,
  });
  return standIn;
}

interface Expression {
  /** `group by`: 1 whatever the values. */
  readonly isGroup: boolean;
  readonly by: readonly string[];
  readonly metric: string;
  readonly rangeMs: number;
  readonly selects: (labels: Readonly<Record<string, string>>) => boolean;
}

function parseExpression(expression: string): Expression {
  const match = /^(max|group) by \(([^)]*)\) \(max_over_time\((\w+)(?:\{(.*)\})?\[(\w+)\]\)\)$/.exec(
    expression,
  );
  const rangeMs = parseDurationMs(match?.[5] ?? '');
  if (match?.[3] === undefined || rangeMs === undefined) throw new Error(`not understood: ${expression}`);
  const metric = match[3];
  const matchers = [...(match[4] ?? '').matchAll(/(\w+)(=~|!~|!=|=)("(?:[^"\\]|\\.)*")(?:,|$)/g)];
  if (matchers.map(([text]) => text).join('') !== (match[4] ?? '')) {
    throw new Error(`matchers not understood: ${expression}`);
  }
  const tests = matchers.map(([, label = '', operator = '', quoted = '']) => {
    const wanted = JSON.parse(quoted) as string;
    const holds = operator === '=' || operator === '=~';
    const test = operator.endsWith('~')
      ? (value: string) => new RegExp(`^(?:${wanted})$`).test(value)
      : (value: string) => value === wanted;
    return (labels: Readonly<Record<string, string>>) => test(labels[label] ?? '') === holds;
  });
  return {
    isGroup: match[1] === 'group',
    by: (match[2] ?? '').split(', '),
    metric,
    rangeMs,
    selects: (labels) => labels.__name__ === metric && tests.every((test) => test(labels)),
  };
}

function timesOf(form: URLSearchParams): number[] {
  const time = form.get('time');
  if (time !== null) return [Math.round(Number(time) * 1000)];
  const [start = 0, end = 0, step = 1] = ['start', 'end', 'step'].map((name) =>
    Math.round(Number(form.get(name)) * 1000),
  );
  return Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, i) => start + i * step);
}

interface Row {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: Map<number, number>;
}

function evaluate(
  selected: readonly StoredSeries[],
  { isGroup, by, rangeMs }: Expression,
  at: { readonly times: readonly number[]; readonly newestMs: number; readonly leftOpen: boolean },
): Row[] {
  const rows = new Map<string, Row>();
  for (const { labels, timesMs, values } of selected) {
    const kept = Object.fromEntries(by.flatMap((label) => (labels[label] ? [[label, labels[label]]] : [])));
    const key = JSON.stringify(kept);
    const row = rows.get(key) ?? { labels: kept, points: new Map<number, number>() };
    rows.set(key, row);
    for (const time of at.times) {
      for (const [i, sampleMs] of timesMs.entries()) {
        const isAfterStart = at.leftOpen ? sampleMs > time - rangeMs : sampleMs >= time - rangeMs;
        if (!isAfterStart || sampleMs > Math.min(time, at.newestMs)) continue;
        const value = isGroup ? 1 : (values[i] ?? 0);
        row.points.set(time, Math.max(row.points.get(time) ?? Number.NEGATIVE_INFINITY, value));
      }
    }
  }
  return [...rows.values()].filter(({ points }) => points.size > 0);
}

function answer(
  response: ServerResponse,
  rows: readonly Row[],
  { isRange, warning }: { isRange: boolean; warning?: string | undefined },
): void {
  const result = rows.map(({ labels, points }) => {
    const ascending = [...points].sort(([a], [b]) => a - b);
    const pairs = ascending.map(([timeMs, value]) => [timeMs / 1000, String(value)]);
    return isRange ? { metric: labels, values: pairs } : { metric: labels, value: pairs[0] };
  });
  const warnings = warning === undefined ? {} : { warnings: [warning] };
  sendJson(response, {
    status: 'success',
    ...warnings,
    data: { resultType: isRange ? 'matrix' : 'vector', result },
  });
}
