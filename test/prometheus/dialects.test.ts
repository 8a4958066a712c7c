import { expect, test } from 'vitest';
import type { DialectName } from '../../src/prometheus/dialects/dialect.ts';
import { clientFor, failureOf, QUERY } from './settings.ts';
import { ONE_SAMPLE, sendJson, startWireServer } from './wire-server.ts';

const RANGE = { id: 'peaks', query: 'up', startMs: 0, endMs: 60_000, stepMs: 60_000 };
const EMPTY_MATRIX = { status: 'success', data: { resultType: 'matrix', result: [] } };

test.each<{ dialect: DialectName; tenant?: string; parameters: object; headers: object }>([
  { dialect: 'prometheus', parameters: { stats: 'all' }, headers: {} },
  {
    dialect: 'thanos',
    tenant: 'team-a',
    parameters: { stats: 'all', dedup: 'true', partial_response: 'false', max_source_resolution: '0s' },
    headers: { 'thanos-tenant': 'team-a' },
  },
  {
    dialect: 'mimir',
    tenant: 'team-a',
    parameters: { stats: 'all' },
    headers: { 'x-scope-orgid': 'team-a' },
  },
  { dialect: 'victoriametrics', parameters: { nocache: '1' }, headers: {} },
])(
  '$dialect is asked with its own parameters and tenant header',
  async ({ dialect, tenant, parameters, headers }) => {
    const server = await startWireServer((response, request) =>
      sendJson(response, request.path?.endsWith('query') === true ? ONE_SAMPLE : EMPTY_MATRIX),
    );
    const client = clientFor(server.url, { dialect, tenant });
    await client.instant(QUERY);
    await client.range(RANGE);
    for (const { form, headers: sent } of server.requests) {
      const { query, time, start, end, step, timeout, ...own } = Object.fromEntries(form);
      expect(own).toEqual(parameters);
      expect(sent).toMatchObject(headers);
    }
  },
);

interface PartialCase {
  readonly name: string;
  readonly dialect: DialectName;
  readonly answer: object;
  readonly partial: boolean;
}

const PARTIALS: readonly PartialCase[] = [
  {
    name: 'a warning of Thanos about a store makes the answer partial',
    dialect: 'thanos',
    answer: { warnings: ['receive series from Addr: store:10901: connection refused'] },
    partial: true,
  },
  {
    name: 'a Thanos without a store for the query is partial, not empty',
    dialect: 'thanos',
    answer: { warnings: ['No StoreAPIs matched for this query'] },
    partial: true,
  },
  {
    name: 'a remark of the engine leaves an answer of Thanos complete',
    dialect: 'thanos',
    answer: { warnings: ['PromQL info: metric might not be a counter'] },
    partial: false,
  },
  {
    name: 'isPartial of VictoriaMetrics makes the answer partial',
    dialect: 'victoriametrics',
    answer: { isPartial: true },
    partial: true,
  },
  {
    name: 'isPartial that is false leaves an answer of VictoriaMetrics complete',
    dialect: 'victoriametrics',
    answer: { isPartial: false },
    partial: false,
  },
  {
    name: 'a warning of Mimir is kept with the answer',
    dialect: 'mimir',
    answer: { warnings: ['PromQL warning: x'] },
    partial: false,
  },
  {
    name: 'a remark of the engine is kept with the answer of Prometheus 3',
    dialect: 'prometheus',
    answer: { warnings: ['PromQL warning: x'], infos: ['PromQL info: y'] },
    partial: false,
  },
];

test.each(PARTIALS)('$name', async ({ dialect, answer, partial }) => {
  const server = await startWireServer((response) => sendJson(response, { ...ONE_SAMPLE, ...answer }));
  const query = clientFor(server.url, { dialect }).instant(QUERY);
  if (partial) {
    expect((await failureOf(query)).kind).toBe('partial');
  } else {
    const { warnings = [], infos = [] } = answer as { warnings?: string[]; infos?: string[] };
    expect(await query).toMatchObject({ rows: [{ value: 1 }], warnings, infos });
  }
});

test('a query longer than VictoriaMetrics reads is too large and not sent', async () => {
  const server = await startWireServer((response) => sendJson(response, ONE_SAMPLE));
  const events: unknown[] = [];
  const client = clientFor(
    server.url,
    { dialect: 'victoriametrics' },
    { observer: { queryDone: ({ outcome }) => events.push(outcome) } },
  );
  const query = `up{a="${'ü'.repeat(8_192)}"}`;
  const error = await failureOf(client.instant({ ...QUERY, query }));
  expect(error.kind).toBe('too_large');
  expect(error.message).toMatch(/has 16392 bytes, and the backend reads at most 16384$/);
  expect(server.requests).toHaveLength(0);
  expect(events).toEqual(['failed']);
  await clientFor(server.url).instant({ ...QUERY, query });
});
