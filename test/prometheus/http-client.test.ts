import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { clientFor, failureOf, QUERY } from './settings.ts';
import { ONE_SAMPLE, sendJson, startWireServer } from './wire-server.ts';

test('an instant query is a POST form below the path prefix, with time, timeout and stats', async () => {
  const server = await startWireServer((response) => sendJson(response, ONE_SAMPLE));
  const client = clientFor(`${server.url}/prefix/?extra=1`);
  expect(await client.instant({ ...QUERY, query: 'a{b="c&d=ü"}' })).toEqual({
    rows: [{ labels: { pod: 'a' }, value: 1 }],
    droppedPoints: 0,
    droppedLabels: [],
    warnings: [],
    infos: [],
    stats: undefined,
    // A second is the smallest step of a Date.
    clockAheadMs: expect.toSatisfy((ms: number) => Math.abs(ms) < 5_000),
  });
  const [request] = server.requests;
  expect(request?.method).toBe('POST');
  expect(request?.path).toBe('/prefix/api/v1/query?extra=1');
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(request?.headers['user-agent']).toBe('evictrank');
  expect(Object.fromEntries(request?.form ?? [])).toEqual({
    query: 'a{b="c&d=ü"}',
    time: '1700000000.123',
    timeout: expect.stringMatching(/^(5000|49\d\d)ms$/),
    stats: 'all',
  });
});

test('a range query asks query_range with start, end and step in seconds', async () => {
  const server = await startWireServer((response) =>
    sendJson(response, {
      status: 'success',
      warnings: ['w'],
      infos: ['i'],
      data: {
        resultType: 'matrix',
        result: [
          {
            metric: { pod: 'a' },
            values: [
              [1.5, '2'],
              [61.5, 'NaN'],
              [121.5, '3'],
            ],
          },
        ],
        stats: { samples: { totalQueryableSamples: 7, peakSamples: 3 } },
      },
    }),
  );
  const client = clientFor(server.url);
  const query = { id: 'peaks', query: 'up', startMs: 1_500, endMs: 121_500, stepMs: 60_000 };
  expect(await client.range(query)).toEqual({
    rows: [{ labels: { pod: 'a' }, timesMs: [1_500, 121_500], values: [2, 3] }],
    droppedPoints: 1,
    droppedLabels: [],
    warnings: ['w'],
    infos: ['i'],
    stats: { totalQueryableSamples: 7, peakSamples: 3 },
    clockAheadMs: expect.any(Number),
  });
  expect(server.requests[0]?.path).toBe('/api/v1/query_range');
  const { start, end, step } = Object.fromEntries(server.requests[0]?.form ?? []);
  expect({ start, end, step }).toEqual({ start: '1.500', end: '121.500', step: '60.000' });
});

test('a gzipped answer is read', async () => {
  const server = await startWireServer((response, request) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(ONE_SAMPLE)));
  });
  expect((await clientFor(server.url).instant(QUERY)).rows).toHaveLength(1);
});

test.each([
  ['an hour ahead', -3_600_000],
  ['a day behind', 86_400_000],
])('a backend whose clock is %s is told from one whose clock is right', async (_name, aheadMs) => {
  const server = await startWireServer((response) => {
    response.setHeader('Date', new Date(Date.now() - aheadMs).toUTCString());
    sendJson(response, ONE_SAMPLE);
  });
  const { clockAheadMs = 0 } = await clientFor(server.url).instant(QUERY);
  expect(Math.abs(clockAheadMs - aheadMs)).toBeLessThan(5_000);
});

test.each([
  ['none', undefined],
  ['nonsense', 'yesterday'],
])('a Date that is %s says nothing of the clock', async (_name, date) => {
  const server = await startWireServer((response) => {
    response.sendDate = false;
    if (date !== undefined) response.setHeader('Date', date);
    sendJson(response, ONE_SAMPLE);
  });
  expect((await clientFor(server.url).instant(QUERY)).clockAheadMs).toBeUndefined();
});

test('connections are kept between queries and end with close()', async () => {
  const server = await startWireServer((response) => sendJson(response, ONE_SAMPLE));
  const client = clientFor(server.url);
  for (let count = 0; count < 5; count += 1) await client.instant(QUERY);
  expect(server.openConnections()).toBe(1);
  client.close();
  await vi.waitFor(() => expect(server.openConnections()).toBe(0));
  expect((await failureOf(client.instant(QUERY))).kind).toBe('canceled');
  expect(server.requests).toHaveLength(5);
});

test('close() ends a query under way as canceled', async () => {
  const server = await startWireServer(() => undefined);
  const client = clientFor(server.url, { retries: { attempts: 3, baseDelayMs: 1 } });
  const query = failureOf(client.instant(QUERY));
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  client.close();
  expect((await query).kind).toBe('canceled');
  await vi.waitFor(() => expect(server.openConnections()).toBe(0));
});

test('the concurrency limit is never exceeded and every query gets its turn', async () => {
  let active = 0;
  let most = 0;
  const server = await startWireServer((response) => {
    active += 1;
    most = Math.max(most, active);
    setTimeout(() => {
      active -= 1;
      sendJson(response, ONE_SAMPLE);
    }, 15);
  });
  const client = clientFor(server.url, { concurrency: 3 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.instant(QUERY)));
  expect(answers).toHaveLength(20);
  expect(most).toBe(3);
});

test('a query canceled by its signal ends at once, at the backend too', async () => {
  const server = await startWireServer(() => undefined);
  const controller = new AbortController();
  const query = failureOf(clientFor(server.url).instant({ ...QUERY, signal: controller.signal }));
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  controller.abort();
  expect((await query).kind).toBe('canceled');
  await vi.waitFor(() => expect(server.openConnections()).toBe(0));
});

test('a query canceled while it waits for its place ends at once and is never sent', async () => {
  const finish: (() => void)[] = [];
  const server = await startWireServer((response) => {
    finish.push(() => sendJson(response, ONE_SAMPLE));
  });
  const client = clientFor(server.url, { concurrency: 1 });
  const first = client.instant(QUERY);
  await vi.waitFor(() => expect(finish).toHaveLength(1));
  const controller = new AbortController();
  const second = failureOf(client.instant({ ...QUERY, signal: controller.signal }));
  controller.abort();
  expect((await second).kind).toBe('canceled');
  finish[0]?.();
  await first;
  const already = failureOf(client.instant({ ...QUERY, signal: controller.signal }));
  expect((await already).kind).toBe('canceled');
  expect(server.requests).toHaveLength(1);
});

test('a hundred queries on one signal leave no listener and no warning behind', async () => {
  const warnings: Error[] = [];
  const collect = (warning: Error): void => void warnings.push(warning);
  process.on('warning', collect);
  const server = await startWireServer((response) => sendJson(response, ONE_SAMPLE));
  const client = clientFor(server.url);
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, args);
  };
  await Promise.all(Array.from({ length: 100 }, () => client.instant({ ...QUERY, signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', collect);
  expect(listeners).toBe(0);
  expect(warnings).toEqual([]);
});

test('two hundred queries, good and bad, leave no timer and one connection behind', async () => {
  const server = await startWireServer((response, _request, count) =>
    count % 2 === 0 ? sendJson(response, ONE_SAMPLE) : void response.writeHead(400).end(),
  );
  const client = clientFor(server.url);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await failureOf(client.instant(QUERY));
  const before = timers();
  for (let count = 0; count < 200; count += 1) await client.instant(QUERY).catch(() => undefined);
  expect(server.requests).toHaveLength(201);
  expect(timers()).toBeLessThanOrEqual(before);
  expect(server.openConnections()).toBe(1);
});

test('the observer is told of every query, good or bad, with the samples read', async () => {
  const server = await startWireServer((response, _request, count) =>
    count === 1
      ? sendJson(response, {
          status: 'success',
          data: {
            resultType: 'vector',
            result: [],
            stats: { samples: { totalQueryableSamples: 42, peakSamples: 1 } },
          },
        })
      : sendJson(response, { status: 'error', errorType: 'bad_data', error: 'parse error' }, 400),
  );
  const events: unknown[] = [];
  const client = clientFor(server.url, {}, { observer: { queryDone: (event) => events.push(event) } });
  await client.instant(QUERY);
  await failureOf(client.instant(QUERY));
  const durationSeconds = expect.any(Number);
  expect(events).toEqual([
    { id: 'pod_usage', durationSeconds, outcome: 'ok', samplesRead: 42 },
    { id: 'pod_usage', durationSeconds, outcome: 'failed', samplesRead: undefined },
  ]);
});

test('a proxy in the environment is used only where the settings say so', async () => {
  const proxy = await startWireServer((response) => sendJson(response, ONE_SAMPLE));
  vi.stubEnv('http_proxy', proxy.url);
  vi.stubEnv('no_proxy', '');
  const target = 'http://127.0.0.1:9';
  const direct = await failureOf(clientFor(target).instant(QUERY));
  expect(direct.kind).toBe('unreachable');
  expect(proxy.requests).toHaveLength(0);
  await clientFor(target, { proxyFromEnvironment: true }).instant(QUERY);
  vi.unstubAllEnvs();
  expect(proxy.requests[0]?.path).toBe('http://127.0.0.1:9/api/v1/query');
});
