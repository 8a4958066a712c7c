import { type InputId, inputCatalogue, inputIds } from '../../src/inputs/catalogue.ts';
import type { CollectedInput, CollectedInputs } from '../../src/inputs/collect.ts';
import type { InputSpec } from '../../src/inputs/source.ts';
import type { Labels } from '../../src/prometheus/client.ts';
import { plainScope } from '../support/plain-scope.ts';

const keys = plainScope.labels.ksm;

type Row = readonly [labels: Labels, value?: number];

/** Inputs as a refresh would collect them; rows not given are empty. `sources` picks another source than the first. */
export function collected(
  rows: Partial<Record<InputId, readonly Row[]>>,
  options: {
    sources?: Partial<Record<InputId, number>>;
    clusterLabel?: string;
    dropped?: Partial<Record<InputId, readonly Labels[]>>;
  } = {},
): CollectedInputs {
  const rowKeys = { ...keys, cluster: options.clusterLabel };
  const build = (id: InputId): CollectedInput => {
    const spec: InputSpec = inputCatalogue[id];
    const samples = (rows[id] ?? []).map(([labels, value = 1]) => ({ labels, value }));
    return {
      id,
      outcome: samples.length > 0 ? 'ok' : 'empty',
      source: samples.length > 0 ? spec.sources[options.sources?.[id] ?? 0] : undefined,
      samples,
      dropped: options.dropped?.[id] ?? [],
      keys: rowKeys,
      notices: [],
      error: undefined,
    };
  };
  return {
    evaluatedAtMs: 1_700_000_000_000,
    rows: Object.fromEntries(inputIds.map((id) => [id, build(id)])) as CollectedInputs['rows'],
  };
}
