import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ConnectionSettings } from '../../src/prometheus/connection.ts';
import type { FailureKind } from '../../src/prometheus/failures.ts';
import { clientFor, failureOf, QUERY } from './settings.ts';
import { type Answerer, ONE_SAMPLE, sendJson, startWireServer } from './wire-server.ts';

interface Case {
  readonly name: string;
  readonly answer: Answerer;
  readonly kind: FailureKind;
  readonly message: RegExp;
  readonly changes?: Partial<ConnectionSettings>;
}

const apiError =
  (status: number, errorType: string, error: string): Answerer =>
  (response) =>
    sendJson(response, { status: 'error', errorType, error }, status);

const plain =
  (status: number, text: string, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    void response.writeHead(status, headers).end(text);

const HTML = '<!DOCTYPE html><html><body>Sign in</body></html>';
const ONE_SAMPLE_TEXT = JSON.stringify(ONE_SAMPLE);

const CASES: readonly Case[] = [
  {
    name: 'a slow backend is a timeout',
    answer: () => undefined,
    kind: 'timeout',
    message: /no complete answer within 500 ms/,
    changes: { timeoutMs: 500 },
  },
  {
    name: 'an answer that stops midway without an end is a timeout',
    answer: (response) => void response.write(ONE_SAMPLE_TEXT.slice(0, 20)),
    kind: 'timeout',
    message: /within 500 ms/,
    changes: { timeoutMs: 500 },
  },
  {
    name: 'an endless body is too large, long before the time limit',
    answer: (response) => {
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(write));
      };
      write();
    },
    kind: 'too_large',
    message: /larger than 1000000 bytes/,
    changes: { maxBodyBytes: 1_000_000 },
  },
  {
    name: 'a series without an end is malformed, long before the largest body',
    answer: (response) => {
      response.write(`${ONE_SAMPLE_TEXT.slice(0, ONE_SAMPLE_TEXT.indexOf('"metric":{') + 10)}"pod":"`);
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(write));
      };
      write();
    },
    kind: 'malformed',
    message: /a series of the answer has more than 4194304 characters/,
    changes: { maxBodyBytes: 1_000_000_000 },
  },
  {
    name: 'a gzip bomb is too large',
    answer: (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(200_000_000)));
    },
    kind: 'too_large',
    message: /larger than 1000000 bytes/,
    changes: { maxBodyBytes: 1_000_000 },
  },
  {
    name: 'an HTML page with 200 is malformed',
    answer: plain(200, HTML, { 'content-type': 'text/html' }),
    kind: 'malformed',
    message: /HTML page/,
  },
  {
    name: 'cut JSON is malformed',
    answer: plain(200, ONE_SAMPLE_TEXT.slice(0, -10)),
    kind: 'malformed',
    message: /not JSON, or was cut/,
  },
  {
    name: 'cut gzip is malformed',
    answer: (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(ONE_SAMPLE_TEXT).subarray(0, 90));
    },
    kind: 'malformed',
    message: /cut/,
  },
  {
    name: 'a body that is not gzip though it says so is malformed',
    answer: plain(200, ONE_SAMPLE_TEXT, { 'content-encoding': 'gzip' }),
    kind: 'malformed',
    message: /Z_DATA_ERROR/,
  },
  { name: 'an empty answer is malformed', answer: plain(200, ''), kind: 'malformed', message: /empty/ },
  { name: 'no content is no answer', answer: plain(204, ''), kind: 'backend_failed', message: /204/ },
  {
    name: 'JSON of something else is malformed',
    answer: plain(200, '{"hello":1}'),
    kind: 'malformed',
    message: /no "status"/,
  },
  {
    name: 'half an answer, its connection closed before the announced length, is unreachable',
    answer: (response) => {
      response.writeHead(200, { 'content-length': ONE_SAMPLE_TEXT.length });
      response.write(ONE_SAMPLE_TEXT.slice(0, 30), () => response.destroy());
    },
    kind: 'unreachable',
    message: /aborted|ECONNRESET/,
  },
  {
    name: 'half a gzipped answer is unreachable',
    answer: (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync(ONE_SAMPLE_TEXT).subarray(0, 30), () => response.destroy());
    },
    kind: 'unreachable',
    message: /aborted|ECONNRESET|PREMATURE/,
  },
  {
    name: 'a connection reset before any answer is unreachable',
    answer: (response) => void response.socket?.resetAndDestroy(),
    kind: 'unreachable',
    message: /ECONNRESET/,
  },
  {
    name: 'too many samples are too large',
    answer: apiError(
      422,
      'execution',
      'query processing would load too many samples into memory in query execution',
    ),
    kind: 'too_large',
    message: /answered 422 "query processing would load too many samples/,
  },
  {
    name: 'too fine a resolution is too large, though Prometheus calls it bad data',
    answer: apiError(400, 'bad_data', 'exceeded maximum resolution of 11,000 points per timeseries.'),
    kind: 'too_large',
    message: /11,000 points/,
  },
  {
    name: 'a query that the backend timed out is a timeout, though its status is 503',
    answer: apiError(503, 'timeout', 'query timed out in expression evaluation'),
    kind: 'timeout',
    message: /answered 503 "query timed out/,
  },
  {
    name: 'a syntax error is a bad query',
    answer: apiError(400, 'bad_data', 'invalid parameter "query": 1:3: parse error'),
    kind: 'bad_query',
    message: /parse error/,
  },
  {
    name: 'a join of many to many is a bad query',
    answer: apiError(422, 'execution', 'found duplicate series for the match group'),
    kind: 'bad_query',
    message: /duplicate series/,
  },
  {
    name: 'an error with status 200 is an error',
    answer: apiError(200, 'execution', 'boom'),
    kind: 'bad_query',
    message: /boom/,
  },
  { name: '401 is unauthorized', answer: plain(401, 'Unauthorized'), kind: 'unauthorized', message: /401/ },
  {
    name: '403 with a page is unauthorized, and the page is left out',
    answer: plain(403, HTML),
    kind: 'unauthorized',
    message: /answered 403 without an explanation$/,
  },
  { name: '404 is a wrong URL', answer: plain(404, '404 page not found'), kind: 'not_found', message: /404/ },
  {
    name: '429 is rate limited',
    answer: plain(429, 'slow down'),
    kind: 'rate_limited',
    message: /slow down/,
  },
  { name: '500 is a failure of the backend', answer: plain(500, ''), kind: 'backend_failed', message: /500/ },
  { name: '502 is unavailable', answer: plain(502, HTML), kind: 'unavailable', message: /502/ },
  {
    name: '503 of a starting Prometheus is unavailable',
    answer: plain(503, 'Service Unavailable'),
    kind: 'unavailable',
    message: /503 "Service Unavailable"/,
  },
  { name: '413 is too large', answer: plain(413, ''), kind: 'too_large', message: /413/ },
  {
    name: 'an error text of many lines becomes one bounded line',
    answer: plain(500, `first\n\tsecond ${'x'.repeat(2_000)}`),
    kind: 'backend_failed',
    message: /answered 500 "first second x[^\n]{1,500}…$/,
  },
  {
    name: 'a remote read that failed behind Prometheus makes the answer partial',
    answer: (response) =>
      sendJson(response, { ...ONE_SAMPLE, warnings: ['remote_read: remote server http://x returned 500'] }),
    kind: 'partial',
    message: /partial: remote_read/,
  },
];

test.each(CASES)('$name', async ({ answer, kind, message, changes }) => {
  const server = await startWireServer(answer);
  const error = await failureOf(clientFor(server.url, changes).instant(QUERY));
  expect(error.kind).toBe(kind);
  expect(error.message).toMatch(message);
  expect(error.message).toContain(`query pod_usage to ${server.url} failed: `);
  expect(error.queryId).toBe('pod_usage');
  expect(server.requests).toHaveLength(1);
});
