import { rmSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { describeError } from '../../src/foundation/errors.ts';
import type { ConnectionSettings } from '../../src/prometheus/connection.ts';
import { clientFor, failureOf, QUERY, temporaryFile } from './settings.ts';
import { type Answerer, ONE_SAMPLE, sendJson, startWireServer } from './wire-server.ts';

const ok: Answerer = (response) => sendJson(response, ONE_SAMPLE);

test('a bearer token is read again for every query, so a rotated one is used at once', async () => {
  const server = await startWireServer(ok);
  const file = temporaryFile('first\n');
  const client = clientFor(server.url, { bearerTokenFile: file });
  await client.instant(QUERY);
  writeFileSync(file, 'second\n');
  await client.instant(QUERY);
  expect(server.requests.map((request) => request.headers.authorization)).toEqual([
    'Bearer first',
    'Bearer second',
  ]);
});

test('a token rotated between two attempts of one query is used by the second', async () => {
  const file = temporaryFile('first');
  const server = await startWireServer((response, request, count) => {
    writeFileSync(file, 'second');
    if (count === 1) response.writeHead(503).end();
    else ok(response, request, count);
  });
  const retries = { attempts: 2, baseDelayMs: 1 };
  await clientFor(server.url, { bearerTokenFile: file, retries }).instant(QUERY);
  expect(server.requests[1]?.headers.authorization).toBe('Bearer second');
});

test('basic auth sends the user and the password of the file, in UTF-8', async () => {
  const server = await startWireServer(ok);
  const basicAuth = { username: 'sre', passwordFile: temporaryFile('pä:ss wörd\n') };
  await clientFor(server.url, { basicAuth }).instant(QUERY);
  const encoded = server.requests[0]?.headers.authorization?.replace('Basic ', '') ?? '';
  expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe('sre:pä:ss wörd');
});

test('a user and a password in the URL are sent as basic auth and not in the path', async () => {
  const server = await startWireServer(ok);
  await clientFor(server.url.replace('//', '//sre:p%40ss@')).instant(QUERY);
  const encoded = server.requests[0]?.headers.authorization?.replace('Basic ', '') ?? '';
  expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe('sre:p@ss');
  expect(server.requests[0]?.path).toBe('/api/v1/query');
});

test('extra headers are sent as they are, colons and all, beside a bearer token and a tenant', async () => {
  const server = await startWireServer(ok);
  await clientFor(server.url, {
    dialect: 'mimir',
    tenant: 'team-a|team-b',
    bearerTokenFile: temporaryFile('token'),
    headers: { 'X-Api-Key': 'id:key:with:colons', 'X-Range': ' a, b="c" ' },
  }).instant(QUERY);
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer token',
    'x-scope-orgid': 'team-a|team-b',
    'x-api-key': 'id:key:with:colons',
    'x-range': 'a, b="c"',
  });
});

test.each([
  ['is missing', undefined, /cannot be read \(ENOENT\)$/],
  ['is empty', ' \n', /is empty$/],
  ['has two lines', 'one\ntwo', /more than one line/],
])('a token file that %s fails the query by name, and nothing is sent', async (_name, content, message) => {
  const server = await startWireServer(ok);
  const file = temporaryFile(content ?? '');
  if (content === undefined) rmSync(file);
  const error = await failureOf(clientFor(server.url, { bearerTokenFile: file }).instant(QUERY));
  expect(error.kind).toBe('unreadable_file');
  expect(error.message).toContain(file);
  expect(error.message).toMatch(message);
  expect(server.requests).toHaveLength(0);
});

const SECRET = 'Tr0ub4dor&3/+="<>';
const BASE64 = Buffer.from(`sre:${SECRET}`).toString('base64');
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  BASE64,
  Buffer.from(SECRET).toString('base64'),
  SECRET.slice(0, 8),
];

const AUTHENTICATIONS: readonly {
  readonly name: string;
  readonly url: (url: string) => string;
  readonly changes: () => Partial<ConnectionSettings>;
}[] = [
  { name: 'a bearer token', url: (url) => url, changes: () => ({ bearerTokenFile: temporaryFile(SECRET) }) },
  {
    name: 'a password',
    url: (url) => url,
    changes: () => ({ basicAuth: { username: 'sre', passwordFile: temporaryFile(SECRET) } }),
  },
  { name: 'an extra header', url: (url) => url, changes: () => ({ headers: { 'X-Api-Key': SECRET } }) },
  {
    name: 'a password in the URL',
    url: (url) => url.replace('//', `//sre:${encodeURIComponent(SECRET)}@`),
    changes: () => ({}),
  },
  {
    name: 'a key in a parameter of the URL',
    url: (url) => `${url}/prefix?key=${encodeURIComponent(SECRET)}`,
    changes: () => ({}),
  },
];

/** Ways to fail, some of them echoing whatever was sent, as debugging proxies do. */
const FAULTS: readonly { readonly name: string; readonly answer: Answerer }[] = [
  {
    name: 'an error that echoes the request',
    answer: (response, { headers, path }) =>
      sendJson(
        response,
        { status: 'error', errorType: 'bad_data', error: JSON.stringify({ headers, path }) },
        400,
      ),
  },
  {
    name: 'a text that echoes the request',
    answer: (response, { headers, path }) =>
      void response.writeHead(503).end(`${path} ${Object.values(headers).join(' ')}`),
  },
  { name: 'a reset', answer: (response) => void response.socket?.resetAndDestroy() },
  { name: 'no answer in time', answer: () => undefined },
  { name: 'a page', answer: (response) => void response.end('<html></html>') },
  {
    name: 'cut JSON',
    answer: (response, { headers }) => void response.end(`{"a":"${headers.authorization}`),
  },
  {
    name: 'a redirect to where the request came from',
    answer: (response, { path, headers }) =>
      void response
        .writeHead(302, { location: `http://sre:${encodeURIComponent(SECRET)}@${headers.host}${path}` })
        .end(),
  },
];

const PAIRS = AUTHENTICATIONS.flatMap((authentication) =>
  FAULTS.map((fault) => ({ name: `${authentication.name} after ${fault.name}`, authentication, fault })),
);

test.each(PAIRS)('no error and no log line shows $name', async ({ authentication, fault }) => {
  const server = await startWireServer(fault.answer);
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const client = clientFor(
    authentication.url(server.url),
    { ...authentication.changes(), timeoutMs: 300, retries: { attempts: 2, baseDelayMs: 1 } },
    { logger: pino({ level: 'trace' }, sink) },
  );
  const error = await failureOf(client.instant(QUERY));
  const shown = [
    String(error),
    error.stack ?? '',
    describeError(error),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    inspect(client, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    ...lines,
  ].join('\n');
  for (const form of FORMS) expect(shown).not.toContain(form);
  expect(error.cause).toBeUndefined();
  expect(server.requests.length).toBeGreaterThan(0);
});

test('a secret echoed in a warning of a good answer is replaced', async () => {
  const server = await startWireServer((response, { headers }) =>
    sendJson(response, { ...ONE_SAMPLE, warnings: [`sent ${headers.authorization}`], infos: ['fine'] }),
  );
  const client = clientFor(server.url, { bearerTokenFile: temporaryFile(SECRET) });
  expect(await client.instant(QUERY)).toMatchObject({
    warnings: ['sent Bearer [redacted]'],
    infos: ['fine'],
  });
});
