import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isCanceled, isRetryable, isTooLarge } from '../../src/prometheus/failures.ts';
import { clientFor, failureOf, QUERY } from './settings.ts';
import { ONE_SAMPLE, sendJson, startWireServer } from './wire-server.ts';

test('the connection of a body that is too large is given up', async () => {
  const server = await startWireServer((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(Buffer.alloc(5_000_000)));
  });
  await failureOf(clientFor(server.url, { maxBodyBytes: 1_000 }).instant(QUERY));
  await vi.waitFor(() => expect(server.openConnections()).toBe(0));
});

test('a redirect is not followed, and the message names the place without its parameters', async () => {
  const other = await startWireServer((response) => sendJson(response, ONE_SAMPLE));
  const server = await startWireServer(
    (response) => void response.writeHead(307, { location: `${other.url}/login?state=secret` }).end(),
  );
  const error = await failureOf(clientFor(server.url).instant(QUERY));
  expect(error.kind).toBe('redirected');
  expect(error.message).toMatch(new RegExp(`answered 307 and redirects to ${other.url}/login$`));
  expect(other.requests).toHaveLength(0);
});

test.each(['127.0.0.1', 'localhost'])('a connection refused by %s is unreachable', async (host) => {
  const error = await failureOf(clientFor(`http://${host}:9`).instant(QUERY));
  expect(error.kind).toBe('unreachable');
  expect(error.message).toContain('ECONNREFUSED');
  expect(error.status).toBeUndefined();
});

test('something that is not HTTP is malformed', async () => {
  const server = createServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const error = await failureOf(clientFor(`http://127.0.0.1:${port}`).instant(QUERY));
  expect(error.kind).toBe('malformed');
});

test('the predicates tell what a caller can do', async () => {
  const server = await startWireServer((response) =>
    sendJson(response, { status: 'error', errorType: 'execution', error: 'too many samples' }, 422),
  );
  const tooLarge = await failureOf(clientFor(server.url).instant(QUERY));
  const canceled = await failureOf(clientFor(server.url).instant({ ...QUERY, signal: AbortSignal.abort() }));
  const refused = await failureOf(clientFor('http://127.0.0.1:9').instant(QUERY));
  const verdict = (error: unknown) => [isRetryable(error), isTooLarge(error), isCanceled(error)];
  expect(verdict(tooLarge)).toEqual([false, true, false]);
  expect(verdict(canceled)).toEqual([false, false, true]);
  expect(verdict(refused)).toEqual([true, false, false]);
  expect(verdict(new Error('other'))).toEqual([false, false, false]);
  expect(tooLarge.remedy).toMatch(/fewer series/);
});
