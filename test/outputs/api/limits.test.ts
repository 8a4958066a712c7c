import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/foundation/logger.ts';
import { boundedBacklog, requestLimits } from '../../../src/outputs/api/limits.ts';
import { listen } from '../../../src/outputs/api/listen.ts';
import { packedAnswers } from '../../../src/outputs/api/page.ts';
import { problemHandler } from '../../../src/outputs/api/problem-details.ts';
import { packText } from '../../../src/outputs/metrics/page.ts';
import { startApi } from './api-server.ts';
import { sampleSnapshot } from './sample-data.ts';

interface RawClient {
  readonly socket: Socket;
  /** What was received so far. */
  text(): string;
  readonly closed: Promise<void>;
}

/** A connection without any manners of an HTTP client. */
function open(url: string): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  return { socket, text: () => received, closed };
}

async function within<T>(ms: number, what: Promise<T>): Promise<'in time' | 'too late'> {
  return Promise.race([what.then(() => 'in time' as const), delay(ms, 'too late' as const)]);
}

/** Text that hardly packs, so that the sockets' own buffers cannot swallow it. */
const largeText = (): string =>
  randomBytes(12 * 1024 * 1024)
    .toString('base64')
    .replaceAll(/(.{100})/g, '# $1\n');

/** The limits of `serverOptions`, in the time a test has. */
const timeouts = { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 200 };

describe('a request', () => {
  it.each([
    ['a path that is too long', `/${'a'.repeat(9_000)}`, 414],
    ['a query that is too long', `/api/v1/pods?namespace=${'a'.repeat(9_000)}`, 414],
    [
      'the longest names there are',
      `/api/v1/pods/${'a'.repeat(253)}/${'b'.repeat(253)}?cluster=${'%C3'.repeat(0)}${'%F0%9F%8D%8B'.repeat(60)}`,
      404,
    ],
    ['a thousand parameters', `/api/v1/pods?${'a&'.repeat(1_000)}`, 400],
  ])('with %s is answered', async (_name, path, status) => {
    const api = await startApi(sampleSnapshot());
    expect(await api.get(path)).toMatchObject({ status, type: 'application/problem+json' });
  });

  it('with headers that are too large is answered 431', async () => {
    const api = await startApi(sampleSnapshot());
    const client = open(api.url);
    client.socket.write(
      `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(requestLimits.headerBytes)}\r\n\r\n`,
    );
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it.each([
    ['nothing at all', ''],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ])('that sends %s is closed after a while, and does not keep others waiting', async (_name, text) => {
    const api = await startApi(sampleSnapshot(), { limits: { timeouts } });
    const client = open(api.url);
    client.socket.write(text);
    expect(await within(500, client.closed)).toBe('too late');
    expect((await api.get('/-/healthy')).status).toBe(200);
    expect(await within(5_000, client.closed)).toBe('in time');
  });

  it('whose body never ends is answered 408 after a while', async () => {
    const api = await startApi(sampleSnapshot(), { limits: { timeouts } });
    const client = open(api.url);
    client.socket.write(
      'POST /api/v1/simulations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    expect(await within(1_500, client.closed)).toBe('too late');
    expect(await within(5_000, client.closed)).toBe('in time');
    expect(client.text()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\n'],
    ['a length beside chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a line break inside a name', 'X-A\nB: c\r\n\r\n'],
  ])('with %s is refused, since proxies may read it otherwise', async (_name, headers) => {
    const api = await startApi(sampleSnapshot());
    const client = open(api.url);
    client.socket.write(`POST /api/v1/simulations HTTP/1.1\r\nHost: x\r\n${headers}`);
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('connections', () => {
  it('beyond the most allowed are closed, and let in again when others go', async () => {
    const api = await startApi(sampleSnapshot(), { limits: { maxConnections: 3 } });
    const held = [open(api.url), open(api.url), open(api.url)];
    await delay(200);
    const refused = open(api.url);
    refused.socket.write('GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await within(2_000, refused.closed)).toBe('in time');
    expect(refused.text()).toBe('');
    held[0]?.socket.destroy();
    await delay(200);
    const next = open(api.url);
    next.socket.write('GET /-/healthy HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await next.closed;
    expect(next.text()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

/** Takes a byte a second, like a reader on the worst of lines. */
function readSlowly({ socket }: RawClient): void {
  socket.pause();
  const timer = setInterval(() => socket.read(1), 1_000);
  socket.once('close', () => clearInterval(timer));
}

describe('slow readers of /metrics', () => {
  it.each([
    ['packed', 'Accept-Encoding: gzip\r\n'],
    ['unpacked', ''],
  ])(
    '%s: do not keep others waiting, hold little memory, and are closed in the end',
    async (_name, header) => {
      const packed = await packText([largeText()]);
      const api = await startApi(sampleSnapshot(), { packed, limits: { responseTimeoutMs: 6_000 } });
      await api.get('/metrics');
      globalThis.gc?.();
      const before = process.memoryUsage();
      const slow = Array.from({ length: 40 }, () => open(api.url));
      for (const client of slow) {
        readSlowly(client);
        client.socket.write(`GET /metrics HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
      }
      await delay(1_500);
      const startedAt = performance.now();
      const answer = await fetch(`${api.url}/metrics`);
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      // Forty answers of 16 MB would be 640 MB.
      const { heapUsed, external } = process.memoryUsage();
      expect((heapUsed + external - before.heapUsed - before.external) / 2 ** 20).toBeLessThan(200);
      await delay(6_000);
      for (const { socket } of slow) socket.resume();
      expect(await within(4_000, Promise.all(slow.map(({ closed }) => closed)))).toBe('in time');
      for (const client of slow) expect(client.text().length).toBeLessThan(packed.deflated.length / 2);
    },
  );

  it('get all of it where they are fast enough', async () => {
    const text = largeText();
    const api = await startApi(sampleSnapshot(), { packed: await packText([text]) });
    const client = open(api.url);
    client.socket.write('GET /metrics HTTP/1.0\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n');
    await client.closed;
    const body = client.text().slice(client.text().indexOf('\r\n\r\n') + 4);
    expect(gunzipSync(Buffer.from(body, 'latin1')).toString().startsWith(text)).toBe(true);
  });
});

it.each([
  ['plain', ''],
  ['packed on their way', 'Accept-Encoding: gzip\r\n'],
])('answers that nobody takes are bounded all together, and probes go through: %s', async (_name, header) => {
  const app = express();
  app.use(boundedBacklog(40 * 2 ** 20));
  app.use(packedAnswers());
  const large = randomBytes(10 * 2 ** 20).toString('base64');
  app.get('/large', (_request, response) => void response.send(large));
  app.get('/-/healthy', (_request, response) => void response.send('ok'));
  app.use(problemHandler(silentLogger));
  const web = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => web.close());
  const clients = Array.from({ length: 12 }, () => open(web.url));
  for (const { socket } of clients) {
    socket.pause();
    socket.write(`GET /large HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
    await delay(50);
  }
  const refused = await fetch(`${web.url}/large`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await fetch(`${web.url}/-/healthy`)).status).toBe(200);
  for (const { socket } of clients) socket.destroy();
  await delay(100);
  expect((await fetch(`${web.url}/large`)).status).toBe(200);
});
