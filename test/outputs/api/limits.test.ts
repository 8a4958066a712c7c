import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { requestLimits } from '../../../src/outputs/api/limits.ts';
import { startApi } from './api-server.ts';
import { accessFor, answerTo, open, schemes, within } from './raw-client.ts';
import { sampleSnapshot } from './sample-data.ts';

/** The limits of `serverOptions`, in the time a test has. */
const timeouts = { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 200 };

describe.each(schemes)('over %s, a request', (scheme) => {
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
    const api = await startApi(sampleSnapshot(), await accessFor(scheme));
    const answer = await answerTo(api.url, path);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('application/problem+json');
  });

  it('with headers that are too large is answered 431', async () => {
    const api = await startApi(sampleSnapshot(), await accessFor(scheme));
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
    const api = await startApi(sampleSnapshot(), { ...(await accessFor(scheme)), limits: { timeouts } });
    const client = open(api.url);
    client.socket.write(text);
    expect(await within(500, client.closed)).toBe('too late');
    expect(await answerTo(api.url, '/-/healthy')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await within(5_000, client.closed)).toBe('in time');
  });

  it('whose body never ends is answered 408 after a while', async () => {
    const api = await startApi(sampleSnapshot(), { ...(await accessFor(scheme)), limits: { timeouts } });
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
    const api = await startApi(sampleSnapshot(), await accessFor(scheme));
    const client = open(api.url);
    client.socket.write(`POST /api/v1/simulations HTTP/1.1\r\nHost: x\r\n${headers}`);
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe.each(schemes)('over %s, connections', (scheme) => {
  it('beyond the most allowed are closed, and let in again when others go', async () => {
    const api = await startApi(sampleSnapshot(), {
      ...(await accessFor(scheme)),
      limits: { maxConnections: 3 },
    });
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
