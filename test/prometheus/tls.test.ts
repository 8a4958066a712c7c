import { writeFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import { beforeAll, expect, test, vi } from 'vitest';
import type { TlsSettings } from '../../src/prometheus/connection.ts';
import { createAuthority, issueCertificate } from './certificates.ts';
import { clientFor, failureOf, QUERY, temporaryFile } from './settings.ts';
import { type Answerer, ONE_SAMPLE, sendJson, startWireServer, type WireServer } from './wire-server.ts';

type Pair = Awaited<ReturnType<typeof createAuthority>>;

let authority: Pair;
let otherAuthority: Pair;
let loopback: Pair;
let named: Pair;
let alice: Pair;
let bob: Pair;

beforeAll(async () => {
  [authority, otherAuthority] = await Promise.all([createAuthority('CA'), createAuthority('Other CA')]);
  [loopback, named, alice, bob] = await Promise.all([
    issueCertificate('127.0.0.1', authority),
    issueCertificate('prometheus.example', authority),
    issueCertificate('alice', authority),
    issueCertificate('bob', authority),
  ]);
});

const ok: Answerer = (response) => sendJson(response, ONE_SAMPLE);

/** Answers with the name in the client's certificate as a label. */
const whoAreYou: Answerer = (response) => {
  const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
  const result = [{ metric: { pod: name }, value: [1, '1'] }];
  sendJson(response, { status: 'success', data: { resultType: 'vector', result } });
};

function serve(pair: Pair, answer: Answerer = ok, options: object = {}): Promise<WireServer> {
  return startWireServer(answer, { key: pair.private, cert: pair.cert, ...options });
}

function mutualTls(answer: Answerer): Promise<WireServer> {
  return serve(loopback, answer, { ca: authority.cert, requestCert: true, rejectUnauthorized: true });
}

const files = (pair: Pair) => ({ certFile: temporaryFile(pair.cert), keyFile: temporaryFile(pair.private) });
const ca = (pair: Pair) => ({ caFile: temporaryFile(pair.cert) });

interface Case {
  readonly name: string;
  readonly server: () => Promise<WireServer>;
  readonly tls: () => TlsSettings;
  readonly failure?: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: 'a certificate of the configured CA is accepted',
    server: () => serve(loopback),
    tls: () => ca(authority),
  },
  {
    name: 'a certificate of an unknown CA is refused',
    server: () => serve(loopback),
    tls: () => ({}),
    failure: /UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED/,
  },
  {
    name: 'a certificate of another CA than the configured one is refused',
    server: () => serve(loopback),
    tls: () => ca(otherAuthority),
    failure: /UNABLE_TO|SELF_SIGNED/,
  },
  {
    name: 'a certificate for another name is refused',
    server: () => serve(named),
    tls: () => ca(authority),
    failure: /ERR_TLS_CERT_ALTNAME_INVALID/,
  },
  {
    name: 'the server name that is set is the one verified',
    server: () => serve(named),
    tls: () => ({ ...ca(authority), serverName: 'prometheus.example' }),
  },
  {
    name: 'nothing is verified where the settings say so',
    server: () => serve(named),
    tls: () => ({ insecureSkipVerify: true }),
  },
  {
    name: 'a CA file that holds no certificate is refused',
    server: () => serve(loopback),
    tls: () => ({
      caFile: temporaryFile('-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n'),
    }),
    failure: /PEM|ASN1|UNABLE_TO|SELF_SIGNED/i,
  },
];

test.each(CASES)('$name', async ({ server: start, tls, failure }) => {
  const server = await start();
  const query = clientFor(server.url, { tls: tls() }).instant(QUERY);
  if (failure === undefined) {
    expect((await query).rows).toHaveLength(1);
    return;
  }
  const error = await failureOf(query);
  expect(error.message).toMatch(failure);
  expect(error.kind).toBe('tls');
  expect(server.requests).toHaveLength(0);
});

test('https to a plain server and http to a TLS server are failures of TLS', async () => {
  const plain = await startWireServer(ok);
  const wrong = await failureOf(clientFor(plain.url.replace('http:', 'https:')).instant(QUERY));
  expect(wrong.kind).toBe('tls');
  // What a Go server answers, see net/http/server.go.
  const goServer = await startWireServer(
    (response) => void response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n'),
  );
  expect((await failureOf(clientFor(goServer.url).instant(QUERY))).kind).toBe('tls');
});

test('a client certificate is shown, and a rotated one is used by the next query', async () => {
  const server = await mutualTls(whoAreYou);
  const tls = { ...ca(authority), ...files(alice) };
  const client = clientFor(server.url, { tls });
  expect((await client.instant(QUERY)).rows[0]?.labels).toEqual({ pod: 'alice' });
  expect((await client.instant(QUERY)).rows[0]?.labels).toEqual({ pod: 'alice' });
  expect(server.openConnections()).toBe(1);
  writeFileSync(tls.certFile, bob.cert);
  writeFileSync(tls.keyFile, bob.private);
  expect((await client.instant(QUERY)).rows[0]?.labels).toEqual({ pod: 'bob' });
  await vi.waitFor(() => expect(server.openConnections()).toBe(1));
});

test('without the client certificate that the backend asks for the query fails', async () => {
  const server = await mutualTls(whoAreYou);
  const error = await failureOf(clientFor(server.url, { tls: ca(authority) }).instant(QUERY));
  // The alert of the server and the closed connection race, so either may be seen first.
  expect(['tls', 'unreachable']).toContain(error.kind);
  expect(server.requests).toHaveLength(0);
});

test('a CA file that is missing fails the query by name', async () => {
  const server = await serve(loopback);
  const error = await failureOf(clientFor(server.url, { tls: { caFile: '/missing/ca.crt' } }).instant(QUERY));
  expect(error.kind).toBe('unreadable_file');
  expect(error.message).toContain('the CA file /missing/ca.crt cannot be read (ENOENT)');
});

test('skipping the verification is said once in the log', () => {
  const lines: unknown[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void lines.push(line) };
  clientFor('https://127.0.0.1:9', { tls: { insecureSkipVerify: true } }, { logger });
  expect(lines).toEqual([[{ url: 'https://127.0.0.1:9' }, 'the certificate of the backend is not verified']]);
});
