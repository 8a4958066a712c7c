import { expect, test } from 'vitest';
import type { ConnectionSettings } from '../../src/prometheus/connection.ts';
import type { ClientDependencies } from '../../src/prometheus/http-client.ts';
import { parseRetryAfter } from '../../src/prometheus/retry.ts';
import { clientFor, failureOf, QUERY } from './settings.ts';
import { type Answerer, ONE_SAMPLE, sendJson, startWireServer } from './wire-server.ts';

const NOW_MS = Date.UTC(2024, 0, 1);
const RETRIES = { retries: { attempts: 3, baseDelayMs: 100 }, timeoutMs: 60_000 };

/** Time that passes only by sleeping. */
function fakeTime(): ClientDependencies & { readonly waits: number[] } {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    waits,
    clock: () => NOW_MS,
    monotonicMs: () => nowMs,
    sleep: (ms) => {
      waits.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    void response.writeHead(code, headers).end();

interface Case {
  readonly name: string;
  readonly failure: Answerer;
  readonly waits: readonly number[];
  readonly outcome: 'ok' | 'failed';
  readonly changes?: Partial<ConnectionSettings>;
}

/** Every server fails twice and answers the third time. */
const CASES: readonly Case[] = [
  { name: '503 is retried with a doubling wait', failure: status(503), waits: [100, 200], outcome: 'ok' },
  { name: '502 is retried', failure: status(502), waits: [100, 200], outcome: 'ok' },
  { name: '504 is retried', failure: status(504), waits: [100, 200], outcome: 'ok' },
  { name: '429 without Retry-After is retried', failure: status(429), waits: [100, 200], outcome: 'ok' },
  {
    name: '429 with Retry-After in seconds waits as asked',
    failure: status(429, { 'retry-after': '2' }),
    waits: [2_000, 2_000],
    outcome: 'ok',
  },
  {
    name: '429 with Retry-After as a date waits until then',
    failure: status(429, { 'retry-after': new Date(NOW_MS + 5_000).toUTCString() }),
    waits: [5_000, 5_000],
    outcome: 'ok',
  },
  {
    name: 'a Retry-After shorter than the backoff does not shorten it',
    failure: status(503, { 'retry-after': '0' }),
    waits: [100, 200],
    outcome: 'ok',
  },
  {
    name: 'a Retry-After beyond the time limit gives up at once',
    failure: status(429, { 'retry-after': '3600' }),
    waits: [],
    outcome: 'failed',
  },
  {
    name: 'the waits together never outlast the time limit',
    failure: status(503),
    waits: [100],
    outcome: 'failed',
    changes: { timeoutMs: 250 },
  },
  {
    name: 'a reset connection is retried',
    failure: (response) => void response.socket?.resetAndDestroy(),
    waits: [100, 200],
    outcome: 'ok',
  },
  {
    name: 'an answer cut by a reset is retried',
    failure: (response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('{"status"', () => response.socket?.resetAndDestroy());
    },
    waits: [100, 200],
    outcome: 'ok',
  },
  {
    name: 'the attempts are counted with the first one',
    failure: status(503),
    waits: [100],
    outcome: 'failed',
    changes: { retries: { attempts: 2, baseDelayMs: 100 } },
  },
  { name: '400 is not retried', failure: status(400), waits: [], outcome: 'failed' },
  { name: '401 is not retried', failure: status(401), waits: [], outcome: 'failed' },
  { name: '404 is not retried', failure: status(404), waits: [], outcome: 'failed' },
  { name: '500 is not retried', failure: status(500), waits: [], outcome: 'failed' },
  {
    name: 'too many samples are not retried',
    failure: (response) =>
      sendJson(response, { status: 'error', errorType: 'execution', error: 'too many samples' }, 422),
    waits: [],
    outcome: 'failed',
  },
  {
    name: 'a query that the backend timed out is not retried, though its status is 503',
    failure: (response) =>
      sendJson(response, { status: 'error', errorType: 'timeout', error: 'query timed out' }, 503),
    waits: [],
    outcome: 'failed',
  },
  {
    name: 'a page is not retried',
    failure: (response) => void response.end('<html></html>'),
    waits: [],
    outcome: 'failed',
  },
];

test.each(CASES)('$name', async ({ failure, waits, outcome, changes }) => {
  const server = await startWireServer((response, request, count) =>
    count <= 2 ? failure(response, request, count) : sendJson(response, ONE_SAMPLE),
  );
  const time = fakeTime();
  const query = clientFor(server.url, { ...RETRIES, ...changes }, time).instant(QUERY);
  if (outcome === 'ok') expect((await query).rows).toHaveLength(1);
  else await failureOf(query);
  expect(time.waits).toEqual(waits);
  expect(server.requests).toHaveLength(waits.length + 1);
});

test('the time told to the backend is what is left after a retry', async () => {
  const server = await startWireServer((response, _request, count) =>
    count === 1 ? void response.writeHead(503).end() : sendJson(response, ONE_SAMPLE),
  );
  await clientFor(server.url, { ...RETRIES, timeoutMs: 1_000 }, fakeTime()).instant(QUERY);
  expect(server.requests.map((request) => request.form.get('timeout'))).toEqual(['1000ms', '900ms']);
});

test('a failure after the last attempt says what the backend asked for', async () => {
  const server = await startWireServer(status(429, { 'retry-after': '7' }));
  const error = await failureOf(clientFor(server.url).instant(QUERY));
  expect(error).toMatchObject({ kind: 'rate_limited', status: 429, retryAfterMs: 7_000 });
});

test('a query canceled during the wait ends at once', async () => {
  const server = await startWireServer(status(503));
  const controller = new AbortController();
  const client = clientFor(
    server.url,
    { retries: { attempts: 2, baseDelayMs: 4_000 } },
    {
      logger: { debug() {}, info() {}, error() {}, warn: () => controller.abort() },
    },
  );
  const startedMs = performance.now();
  expect((await failureOf(client.instant({ ...QUERY, signal: controller.signal }))).kind).toBe('canceled');
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});

test.each([
  ['absent', undefined, undefined],
  ['seconds', '120', 120_000],
  ['a date ahead', 'Mon, 01 Jan 2024 00:01:00 GMT', 60_000],
  ['a date gone by', 'Sun, 31 Dec 2023 00:00:00 GMT', 0],
  ['a negative number', '-5', undefined],
  ['a fraction', '1.5', undefined],
  ['nonsense', 'soon', undefined],
])('Retry-After that is %s is read as such', (_name, header, expected) => {
  expect(parseRetryAfter(header, () => NOW_MS)).toBe(expected);
});

test.each<[string, Answerer, RegExp]>([
  ['a refusal', status(429), /429/],
  ['an overloaded backend', status(503), /503/],
  ['a reset', (response) => void response.socket?.resetAndDestroy(), /ECONNRESET|aborted|socket/i],
])('a time limit that comes after %s names both', async (_name, first, cause) => {
  const server = await startWireServer((response, request, count) => {
    if (count === 1) first(response, request, count);
  });
  const retries = { attempts: 3, baseDelayMs: 1 };
  const error = await failureOf(clientFor(server.url, { timeoutMs: 1_500, retries }).instant(QUERY));
  expect(error.kind).toBe('timeout');
  expect(error.message).toMatch(/no complete answer within 1500 ms, asked again because /);
  expect(error.message).toMatch(cause);
  expect(server.requests).toHaveLength(2);
});
