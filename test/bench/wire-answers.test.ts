import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCluster } from '../../bench/cluster.ts';
import { storedSeries } from '../../bench/stored-series.ts';
import { matrixBody, ruleFor, vectorBody } from '../../bench/wire-answers.ts';
import { type InputId, inputCatalogue, inputIds } from '../../src/inputs/catalogue.ts';
import type { InputSpec } from '../../src/inputs/source.ts';
import { podUsageSources } from '../../src/inputs/usage-sources.ts';
import { plainScope as scope } from '../support/plain-scope.ts';
import { startPrometheusWith, type TestPrometheus } from '../support/prometheus.ts';

const cluster = makeCluster({ pods: 60, nodes: 3 });
const endMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;

interface Body {
  readonly status: string;
  readonly data: {
    readonly resultType: string;
    readonly result: readonly { readonly metric: object }[];
    readonly stats: object;
  };
}

let prometheus: TestPrometheus;
beforeAll(async () => {
  prometheus = await startPrometheusWith(storedSeries(cluster, [endMs - 60_000, endMs]));
});
afterAll(() => prometheus?.stop());

async function ask(path: string, parameters: Record<string, string>): Promise<Body> {
  const body = new URLSearchParams({ ...parameters, stats: 'all' });
  const response = await fetch(`${prometheus.url}/api/v1/${path}`, { method: 'POST', body });
  return comparable(await response.text());
}

/** The order of series and the figures of the statistics are not promised by anybody. */
function comparable(text: string): Body {
  const { status, data } = JSON.parse(text) as Body;
  const result = data.result.toSorted((a, b) =>
    JSON.stringify(a.metric) < JSON.stringify(b.metric) ? -1 : 1,
  );
  return { status, data: { ...data, result, stats: Object.keys(data.stats).map((name) => [name]) } };
}

/** What a refresh asks: a source only where those before it have no data. */
const queries = inputIds.flatMap((id: InputId) => {
  const spec: InputSpec = inputCatalogue[id];
  const withData = spec.sources.findIndex((source) => rowsFor(source.query(scope)).length > 0);
  return spec.sources
    .slice(0, withData < 0 ? undefined : withData + 1)
    .map((source): [string, string] => [`${id} from ${source.metric}`, source.query(scope)]);
});

function rowsFor(query: string) {
  return [...(ruleFor(query)?.rows(cluster, endMs) ?? [])];
}

describe('the stand-in for Prometheus in the benchmarks', () => {
  it.each([...queries, ['the peaks', podUsageSources[0].peakQuery(scope, '3m')]])(
    'answers %s as a real Prometheus with that cluster does',
    async (_, query) => {
      const ours = comparable([...vectorBody(rowsFor(query), endMs)].join(''));
      expect(ours).toEqual(await ask('query', { query, time: String(endMs / 1000) }));
    },
  );

  it('answers a range query in the same form', async () => {
    const query = podUsageSources[0].peakQuery(scope, '1h');
    const seconds = String(endMs / 1000);
    const ours = comparable([...matrixBody(cluster, { startMs: endMs, endMs })].join(''));
    expect(ours).toEqual(await ask('query_range', { query, start: seconds, end: seconds, step: '3600' }));
  });
});
