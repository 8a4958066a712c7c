import type { QueryStats } from './response.ts';

export type Labels = Readonly<Record<string, string>>;

/** One series at one time. `value` is a number up to ±2^53: NaN, ±Inf and what is larger the parser drops and counts. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** One series over time; `timesMs[i]` belongs to `values[i]`; times ascend; points are dropped as samples are. */
export interface Series {
  readonly labels: Labels;
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

/** An answer with everything the backend said about it. A partial answer is an error, never an answer. */
export interface Answer<Row> {
  readonly rows: readonly Row[];
  /** Points dropped because they were NaN, infinite or too large to be true. */
  readonly droppedPoints: number;
  /** Whose samples were dropped, so that what is lost can be told from what never was; of series over time none. */
  readonly droppedLabels: readonly Labels[];
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
  /** Only where the backend reports them (`stats=all`). */
  readonly stats: QueryStats | undefined;
  /** How far the clock here is ahead of the backend's, negative where it is behind; absent where that is not told. */
  readonly clockAheadMs?: number | undefined;
}

/** Gives equal values one object, where that is worth it for the label. */
export type LabelPool = (value: string, label: string) => string;

export interface InstantQuery {
  /** Short stable name of the query (an input id): used in metrics, logs and errors. */
  readonly id: string;
  readonly query: string;
  readonly timeMs: number;
  /** Shares label values among the answers read with the same pool: pod names come in each of a dozen. */
  readonly texts?: LabelPool;
  readonly signal?: AbortSignal;
}

export interface RangeQuery {
  readonly id: string;
  readonly query: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  readonly signal?: AbortSignal;
}

/** What the rest of the program sees of a Prometheus-like backend. Both methods reject with `PrometheusError` only. */
export interface PrometheusClient {
  instant(query: InstantQuery): Promise<Answer<Sample>>;
  range(query: RangeQuery): Promise<Answer<Series>>;
}

/** Told after every query, good or bad; the metrics `query_duration_seconds` and `query_samples_total` come from it. */
export interface QueryObserver {
  queryDone(event: {
    id: string;
    durationSeconds: number;
    outcome: 'ok' | 'failed';
    samplesRead: number | undefined;
  }): void;
}
