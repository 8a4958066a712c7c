import { rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, findApiServer } from '../../../src/inputs/priority-classes/api-server.ts';
import {
  configuredClasses,
  createPriorityClassReader,
} from '../../../src/inputs/priority-classes/class-reader.ts';
import { createAuthority, issueCertificate } from '../../prometheus/certificates.ts';
import { temporaryFile } from '../../prometheus/settings.ts';
import { type Answerer, sendJson, startWireServer, type WireServer } from '../../prometheus/wire-server.ts';

type Pair = Awaited<ReturnType<typeof createAuthority>>;

const token = 'eyJhbGciOiJSUzI1NiJ9.claims-of-the-pod.signature';
const configured = new Map([
  ['gold', 1],
  ['elsewhere', 7],
]);
const minuteMs = 60_000;
let authority: Pair;
let otherAuthority: Pair;
let loopback: Pair;

beforeAll(async () => {
  [authority, otherAuthority] = await Promise.all([createAuthority('CA'), createAuthority('Other CA')]);
  loopback = await issueCertificate('127.0.0.1', authority);
});

/** As the API answers; fields that are not used are there too. */
const classList = (values: Record<string, unknown>) => ({
  kind: 'PriorityClassList',
  apiVersion: 'scheduling.k8s.io/v1',
  metadata: { resourceVersion: '1' },
  items: Object.entries(values).map(([name, value]) => ({ metadata: { name, uid: 'u' }, value })),
});

const answers =
  (values: Record<string, unknown>): Answerer =>
  (response) =>
    sendJson(response, classList(values));

interface Api extends ApiServer {
  readonly wire: WireServer;
}

async function startApi(answer: Answerer, files: { token?: string; ca?: Pair } = {}): Promise<Api> {
  const wire = await startWireServer(answer, { key: loopback.private, cert: loopback.cert });
  return {
    wire,
    url: wire.url,
    tokenFile: temporaryFile(`${files.token ?? token}\n`),
    caFile: temporaryFile((files.ca ?? authority).cert),
  };
}

const readerOf = (server: ApiServer | undefined, timeoutMs = 5_000) =>
  createPriorityClassReader({ server, configured, timeoutMs });

describe('the PriorityClasses of the cluster', () => {
  it('are listed with the token of the pod, over a connection that its CA vouches for', async () => {
    const api = await startApi(answers({ gold: 1000, low: -10 }));
    const { values, failure } = await readerOf(api).read(0);
    expect(failure).toBeUndefined();
    expect([...values]).toEqual([
      ['gold', 1000],
      ['elsewhere', 7],
      ['low', -10],
    ]);
    expect(api.wire.requests).toMatchObject([
      {
        method: 'GET',
        path: '/apis/scheduling.k8s.io/v1/priorityclasses',
        headers: { authorization: `Bearer ${token}` },
      },
    ]);
  });

  it('are read again after five minutes, or where the clock was set back', async () => {
    const api = await startApi((response, _request, count) => sendJson(response, classList({ gold: count })));
    const reader = readerOf(api);
    const goldAt = async (nowMs: number) => (await reader.read(nowMs)).values.get('gold');
    expect(await goldAt(10 * minuteMs)).toBe(1);
    expect(await goldAt(15 * minuteMs - 1)).toBe(1);
    expect(await goldAt(15 * minuteMs)).toBe(2);
    expect(await goldAt(minuteMs)).toBe(3);
  });

  it('lose a class that was deleted', async () => {
    const api = await startApi((response, _request, count) =>
      sendJson(response, classList(count === 1 ? { gold: 5, old: 1 } : { gold: 5 })),
    );
    const reader = readerOf(api);
    expect((await reader.read(0)).values.has('old')).toBe(true);
    expect((await reader.read(5 * minuteMs)).values.has('old')).toBe(false);
  });

  it('stay as they were while the API fails, which is told and tried again at the next refresh', async () => {
    const api = await startApi((response, _request, count) =>
      count === 2 ? sendJson(response, {}, 503) : sendJson(response, classList({ gold: count })),
    );
    const reader = readerOf(api);
    await reader.read(0);
    const failed = await reader.read(5 * minuteMs);
    expect(failed.values.get('gold')).toBe(1);
    expect(failed.failure?.message).toContain('answered 503');
    const repaired = await reader.read(5 * minuteMs + 1);
    expect(repaired.failure).toBeUndefined();
    expect(repaired.values.get('gold')).toBe(3);
  });

  it('are asked for with the token that is in the file now', async () => {
    const api = await startApi(answers({}));
    const reader = readerOf(api);
    await reader.read(0);
    writeFileSync(api.tokenFile, 'rotated-token');
    await reader.read(5 * minuteMs);
    expect(api.wire.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${token}`,
      'Bearer rotated-token',
    ]);
  });

  it('leave no connection open', async () => {
    const api = await startApi(answers({ gold: 1 }));
    await readerOf(api).read(0);
    await expect.poll(() => api.wire.openConnections()).toBe(0);
  });

  const echo: Answerer = (response, { headers }) =>
    sendJson(response, { message: `no such token: ${headers.authorization}` }, 401);

  it.each<[string, () => Promise<ApiServer | undefined>, RegExp, number?]>([
    ['a pod that may not list them', () => startApi((r) => sendJson(r, {}, 403)), /answered 403/],
    ['a token that is refused, even where the answer repeats it', () => startApi(echo), /answered 401/],
    [
      'an address that redirects',
      () => startApi((r) => r.writeHead(302, { location: '/' }).end()),
      /answered 302/,
    ],
    ['an answer that is not JSON', () => startApi((r) => r.end('<html>')), /something else than JSON/],
    [
      'a list of something else',
      () => startApi((r) => sendJson(r, { kind: 'PodList', items: [] })),
      /\(kind\)/,
    ],
    ['a value that is no int32', () => startApi(answers({ gold: 2 ** 31 })), /items\.0\.value/],
    ['an answer that never comes', () => startApi(() => undefined), /no answer within 0.2 s/, 200],
    ['a body that never ends', () => startApi((r) => void r.write('{')), /no answer within 0.2 s/, 200],
    [
      'a body of seventeen mebibytes',
      () => startApi((r) => void r.end(' '.repeat(17 * 1024 * 1024))),
      /larger than 16777216 bytes/,
    ],
    ['a connection that is cut', () => startApi((r) => r.destroy()), /cannot be reached \(ECONNRESET\)/],
    ['an API behind another CA', () => startApi(echo, { ca: otherAuthority }), /cannot be reached \(\w+\)/],
    ['a token of two lines', () => startApi(echo, { token: `${token}\n${token}` }), /ERR_INVALID_CHAR/],
    ['a process that is no pod', async () => undefined, /not a pod/],
    [
      'a pod without a service account',
      async () => {
        const api = await startApi(answers({}));
        rmSync(api.tokenFile);
        return api;
      },
      /service account file .* cannot be read \(ENOENT\)/,
    ],
  ])('are those of the settings for %s', async (_name, start, message, timeoutMs) => {
    const { values, failure } = await readerOf(await start(), timeoutMs).read(0);
    expect([...values]).toEqual([...configured]);
    expect(failure?.message).toMatch(message);
    expect(`${failure?.message} ${failure?.remedy} ${failure?.stack}`).not.toContain('claims-of-the-pod');
  });

  it('are not waited for once the service is told to stop', async () => {
    const api = await startApi(() => undefined);
    const stop = new AbortController();
    const reading = readerOf(api).read(0, stop.signal);
    stop.abort();
    expect((await reading).failure?.message).toContain('ABORT_ERR');
  });
});

describe('the settings alone', () => {
  it('are taken as they are', async () => {
    expect(await configuredClasses(configured).read(0)).toEqual({ values: configured, failure: undefined });
  });
});

describe('the API server', () => {
  it.each([
    ['its address', '10.96.0.1', 'https://10.96.0.1:443'],
    ['an IPv6 address', 'fd00::1', 'https://[fd00::1]:443'],
  ])('is found by %s in the environment of a pod', (_name, host, url) => {
    expect(findApiServer({ KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: '443' })).toEqual({
      url,
      tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      caFile: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
    });
  });

  it('is not there outside of a pod', () => {
    expect(findApiServer({})).toBeUndefined();
  });
});
