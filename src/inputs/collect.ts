import { createTextPool, type TextPool } from '../foundation/text-pool.ts';
import type { Labels, PrometheusClient, Sample } from '../prometheus/client.ts';
import { PrometheusError } from '../prometheus/failures.ts';
import { type InputId, inputCatalogue, inputIds } from './catalogue.ts';
import type { LabelKeys, QueryScope } from './scope.ts';
import type { InputSource, InputSpec } from './source.ts';

/** One input as it came out, with the names its labels have. */
export interface CollectedInput {
  readonly id: InputId;
  readonly outcome: 'ok' | 'empty' | 'failed';
  /** The source that answered with data; undefined where none did. */
  readonly source: InputSource | undefined;
  readonly samples: readonly Sample[];
  /** Whose samples came and could not be used: unknown, which is not the same as not there. */
  readonly dropped: readonly Labels[];
  readonly keys: LabelKeys;
  /** Warnings and infos of the backend. */
  readonly notices: readonly string[];
  readonly error: PrometheusError | undefined;
}

/** All inputs, taken at one evaluation time. */
export interface CollectedInputs {
  readonly evaluatedAtMs: number;
  readonly rows: Readonly<Record<InputId, CollectedInput>>;
  /** How far the clock here is ahead of the backend's, by the answer that says the least; undefined = not known. */
  readonly clockAheadMs?: number | undefined;
}

export interface Collection {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  readonly evaluatedAtMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Asks for every input at one evaluation time.
 * @throws PrometheusError of the first input that failed and that a refresh cannot do without; the other queries are cancelled.
 */
export async function collectInputs(collection: Collection): Promise<CollectedInputs> {
  const abort = new AbortController();
  const signal =
    collection.signal === undefined ? abort.signal : AbortSignal.any([collection.signal, abort.signal]);
  try {
    const texts = createTextPool();
    let clockAheadMs: number | undefined;
    const client: Pick<PrometheusClient, 'instant'> = {
      async instant(query) {
        const answer = await collection.client.instant(query);
        clockAheadMs = nearerClock(clockAheadMs, answer.clockAheadMs);
        return answer;
      },
    };
    const rows = await Promise.all(
      inputIds.map((id) => collectInput(id, { ...collection, client, texts, signal })),
    );
    return {
      evaluatedAtMs: collection.evaluatedAtMs,
      rows: Object.fromEntries(rows.map((row) => [row.id, row])) as Record<InputId, CollectedInput>,
      clockAheadMs,
    };
  } catch (error) {
    abort.abort();
    throw error;
  }
}

/** An answer that was long under way, or comes out of a cache, makes a clock look further ahead than it is. */
export function nearerClock(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.abs(b) < Math.abs(a) ? b : a;
}

async function collectInput(
  id: InputId,
  {
    texts,
    ...collection
  }: Omit<Collection, 'client'> & {
    readonly client: Pick<PrometheusClient, 'instant'>;
    readonly texts: TextPool;
  },
): Promise<CollectedInput> {
  const spec: InputSpec = inputCatalogue[id];
  const { client, scope, evaluatedAtMs, signal } = collection;
  const notices: string[] = [];
  const dropped: Labels[] = [];
  const row = {
    id,
    samples: [],
    dropped,
    keys: scope.labels[spec.sources[0].exporter],
    notices,
    error: undefined,
  };
  try {
    for (const source of spec.sources) {
      const { uid } = scope.labels[source.exporter];
      const answer = await client.instant({
        id,
        query: source.query(scope),
        timeMs: evaluatedAtMs,
        // A uid comes in three answers only: to share it costs more than it saves.
        texts: (value, label) => (label === uid ? value : texts(value)),
        ...(signal === undefined ? {} : { signal }),
      });
      notices.push(...answer.warnings, ...answer.infos);
      const { rows: samples, droppedLabels } = answer;
      const keysOfSource = scope.labels[source.exporter];
      if (samples.length > 0) {
        return { ...row, outcome: 'ok', source, samples, dropped: droppedLabels, keys: keysOfSource };
      }
      // Not spread: a call takes some 120,000 arguments, and the largest cluster has more pods.
      for (const labels of droppedLabels) dropped.push(labels);
    }
    return { ...row, outcome: 'empty', source: undefined };
  } catch (error) {
    if (!(error instanceof PrometheusError) || spec.onFailure === 'abort' || signal?.aborted) throw error;
    return { ...row, outcome: 'failed', source: undefined, error };
  }
}
