import { expect, test } from 'vitest';
import type { DialectName } from '../../src/prometheus/dialects/dialect.ts';
import type { FailureKind } from '../../src/prometheus/failures.ts';
import { clientFor, failureOf, QUERY } from './settings.ts';
import { sendJson, startWireServer } from './wire-server.ts';

interface ErrorCase {
  readonly name: string;
  readonly dialect: DialectName;
  readonly status: number;
  readonly body: object;
  readonly kind: FailureKind;
}

const execution = (error: string) => ({ status: 'error', errorType: 'execution', error });

/** Texts as the sources named in src/prometheus/dialects/ write them; those with an address were recorded. */
const ERRORS: readonly ErrorCase[] = [
  {
    name: 'chunks beyond the limit of Mimir are too large',
    dialect: 'mimir',
    status: 422,
    body: execution(
      'the query exceeded the maximum number of chunks (limit: 2000000 chunks) (err-mimir-max-chunks-per-query). Consider reducing the time range.',
    ),
    kind: 'too_large',
  },
  {
    name: 'series beyond the limit of Mimir are too large',
    dialect: 'mimir',
    status: 422,
    body: execution('the query exceeded the maximum number of series (err-mimir-max-series-per-query)'),
    kind: 'too_large',
  },
  {
    name: 'memory beyond the limit of Mimir is too large',
    dialect: 'mimir',
    status: 422,
    body: execution('(err-mimir-max-estimated-memory-consumption-per-query)'),
    kind: 'too_large',
  },
  {
    name: 'a time range beyond the limit of Mimir is too large',
    dialect: 'mimir',
    status: 422,
    body: execution('the total query time range exceeds the limit (err-mimir-max-total-query-length)'),
    kind: 'too_large',
  },
  {
    name: 'a range beyond the limit of Cortex is too large',
    dialect: 'mimir',
    status: 422,
    body: execution('the query time range exceeds the limit (query length: 720h, limit: 168h)'),
    kind: 'too_large',
  },
  {
    name: 'the request rate of a Mimir tenant is a rate limit',
    dialect: 'mimir',
    status: 429,
    body: execution('the request has been rejected (err-mimir-tenant-max-request-rate)'),
    kind: 'rate_limited',
  },
  {
    name: 'blocks that Mimir cannot reach are unavailable',
    dialect: 'mimir',
    status: 500,
    body: execution('failed to fetch some blocks (err-mimir-store-consistency-check-failed)'),
    kind: 'unavailable',
  },
  {
    name: 'a missing tenant is unauthorized',
    dialect: 'mimir',
    status: 401,
    body: { message: 'no org id' },
    kind: 'unauthorized',
  },
  {
    name: 'the series limit of a Thanos store is too large',
    dialect: 'thanos',
    status: 422,
    body: execution(
      'expanding series: proxy Series(): rpc error: code = ResourceExhausted desc = exceeded series limit: limit 100 violated (got 200)',
    ),
    kind: 'too_large',
  },
  {
    name: 'a Thanos store that is away is unavailable',
    dialect: 'thanos',
    status: 422,
    body: execution(
      'expanding series: proxy Series(): rpc error: code = Aborted desc = fetch series for {} Addr: store:10901: rpc error: code = Unavailable desc = connection refused',
    ),
    kind: 'unavailable',
  },
  {
    name: 'a Thanos sidecar that was killed is unavailable',
    dialect: 'thanos',
    status: 422,
    body: execution(
      'expanding series: proxy Series(): fetch series for {prometheus_replica="a"} Addr: 127.0.0.1:29101 MinTime: 1796099717000 MaxTime: 9223372036854775807: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:29101: connect: connection refused"',
    ),
    kind: 'unavailable',
  },
  {
    name: 'a Thanos that has no store at all is unavailable',
    dialect: 'thanos',
    status: 422,
    body: execution('expanding series: proxy Series(): No StoreAPIs available'),
    kind: 'unavailable',
  },
  {
    name: 'a query that Thanos timed out is a timeout',
    dialect: 'thanos',
    status: 422,
    body: execution(
      'expanding series: proxy Series(): rpc error: code = Aborted desc = receive series from Addr: 127.0.0.1:29101 MinTime: 1796099717000 MaxTime: 9223372036854775807: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    ),
    kind: 'timeout',
  },
  {
    name: 'series beyond the limit of VictoriaMetrics are too large',
    dialect: 'victoriametrics',
    status: 422,
    body: {
      status: 'error',
      errorType: '422',
      error:
        'the number of matching timeseries exceeds 300000; either narrow down the search or increase -search.max* command-line flag values',
    },
    kind: 'too_large',
  },
  {
    name: 'samples beyond the limit of VictoriaMetrics are too large',
    dialect: 'victoriametrics',
    status: 422,
    body: {
      status: 'error',
      errorType: '422',
      error: 'cannot select more than -search.maxSamplesPerQuery=1000000000 samples',
    },
    kind: 'too_large',
  },
  {
    name: 'a query that VictoriaMetrics timed out is a timeout',
    dialect: 'victoriametrics',
    status: 422,
    body: {
      status: 'error',
      errorType: '422',
      error: 'timeout exceeded while fetching data block #1 from storage: 30.000 seconds',
    },
    kind: 'timeout',
  },
  {
    name: 'VictoriaMetrics with all its places taken is rate limited',
    dialect: 'victoriametrics',
    status: 429,
    body: {
      status: 'error',
      errorType: '429',
      error:
        "couldn't start executing the request in 10.000 seconds, since -search.maxConcurrentRequests=8 concurrent requests are executed. Possible solutions: to increase -search.maxQueueDuration=10s; to increase -search.maxQueryDuration=30s",
    },
    kind: 'rate_limited',
  },
  {
    name: 'a syntax error of VictoriaMetrics is a bad query',
    dialect: 'victoriametrics',
    status: 422,
    body: { status: 'error', errorType: '422', error: 'error when executing query="a b": unparsed data' },
    kind: 'bad_query',
  },
  {
    name: 'a syntax error of VictoriaMetrics 1.153 is a bad query',
    dialect: 'victoriametrics',
    status: 400,
    body: {
      status: 'error',
      errorType: '400',
      error:
        'error when executing query="sum(many" for (time=1796099267000, step=300000): argList: unexpected token ""; want ",", ")"; unparsed data: ""',
    },
    kind: 'bad_query',
  },
];

test.each(ERRORS)('$name', async ({ dialect, status, body, kind }) => {
  const server = await startWireServer((response) => sendJson(response, body, status));
  const error = await failureOf(clientFor(server.url, { dialect }).instant(QUERY));
  expect(error.kind).toBe(kind);
  expect(error.status).toBe(status);
});
