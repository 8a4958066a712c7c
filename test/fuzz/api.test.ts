import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/foundation/logger.ts';
import { operations } from '../../src/outputs/api/operations.ts';
import { packText } from '../../src/outputs/metrics/page.ts';
import { type ApiServer, startApi } from '../outputs/api/api-server.ts';
import { sampleDetail, sampleSnapshot } from '../outputs/api/sample-data.ts';
import { nearly, nearlyText, runs } from './mutations.ts';

/** What the service logged as its own failures. */
const failures: unknown[] = [];
const logger = { ...silentLogger, error: (...line: unknown[]) => void failures.push(line) };
afterEach(() => expect(failures.splice(0)).toEqual([]));

const start = async (): Promise<ApiServer> => {
  const packed = await packText(['a 1\n']);
  return startApi(sampleSnapshot(), {
    logger,
    packed: () => packed,
    readPodDetail: async () => sampleDetail,
  });
};

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'n1',
    'default',
    'api',
    '..',
    '%',
    '%00',
    '%ff',
    '%2e%2e',
    '[]',
    '__proto__',
    'now',
    '-1',
    '1e9',
  ),
);
const query = fc.array(
  fc.tuple(fc.oneof(text, fc.constantFrom('cluster', 'node', 'limit', 'cursor', 'basis', 'group')), text),
  {
    maxLength: 4,
  },
);
const path = fc.oneof(
  fc.constantFrom('/', '/metrics', '/-/ready', '/-/healthy', '/openapi.json', '/api/v1/gone'),
  fc
    .tuple(
      fc.constantFrom(...operations.map((operation) => operation.path)),
      fc.array(text, { minLength: 2, maxLength: 2 }),
    )
    .map(([template, names]) => template.replaceAll(/\{\w+\}/g, () => encode(names.pop() ?? ''))),
);

/** As a client writes it, except that what is already an escape stays one, good or bad. */
function encode(part: string): string {
  return part.includes('%') ? part : encodeURIComponent(part);
}

function expectAnswer(reply: { status: number; type: string; body: unknown }, sent: unknown): void {
  const told = JSON.stringify([sent, reply]);
  expect(reply.status, told).toBeLessThan(500);
  if (reply.status >= 400) {
    expect(reply.type, told).toBe('application/problem+json');
    expect(reply.body, told).toMatchObject({ status: reply.status, detail: expect.any(String) });
  }
}

describe('no request fails inside of the service', () => {
  it('whatever its path and query', async () => {
    const api = await start();
    await fc.assert(
      fc.asyncProperty(
        path,
        query,
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'),
        async (at, pairs, method) => {
          const search = pairs.map((pair) => pair.map(encode).join('=')).join('&');
          const sent = `${at.replaceAll('#', '%23')}?${search}`;
          const reply = await api.send(sent, { method });
          if (method !== 'HEAD') expectAnswer(reply, [method, sent]);
          expect(reply.status).toBeLessThan(500);
        },
      ),
      { numRuns: runs },
    );
  });

  it.each([
    [
      '/api/v1/simulations',
      {
        node: 'n1',
        cluster: 'c',
        extraNodeUsageBytes: '888Mi',
        threshold: '100Mi',
        minimumReclaim: '5%',
        pods: [
          { namespace: 'default', pod: 'api', priority: -1000, requestBytes: '1Gi', usageBytes: 5 },
          { namespace: 'default', pod: 'batch' },
        ],
      },
    ],
    ['/api/v1/simulations', { node: 'n1', pods: [{ namespace: 'default', pod: 'api', usageBytes: 5 }] }],
    ['/api/v1/eviction-messages', { message: 'The node was low on resource: memory. ', node: 'n1' }],
  ])('whatever the body is that %s gets', async (at, right) => {
    const api = await start();
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearly(right), fc.jsonValue()), async (body) => {
        expectAnswer(await api.post(at, JSON.stringify(body) ?? ''), body);
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ['a hundred thousand lists in one another', '['.repeat(100_000)],
    ['as many objects', '{"node":'.repeat(30_000)],
    ['lists that end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a name that is a property of every object', '{"__proto__":{"node":"n1"},"node":"n1"}'],
    ['half of a pair of surrogates', '{"node":"\\ud800"}'],
    ['a number that is too large', '{"node":"n1","extraNodeUsageBytes":1e400}'],
    ['an exponent that is too large', '{"node":"n1","extraNodeUsageBytes":"1e99999999999999999999"}'],
    [
      'the same pod a thousand times',
      JSON.stringify({ node: 'n1', pods: Array(1000).fill({ namespace: 'default', pod: 'api' }) }),
    ],
  ])('whose body is %s', async (_name, body) => {
    const api = await start();
    expectAnswer(await api.post('/api/v1/simulations', body), body.slice(0, 100));
  });

  it('whatever bytes are called JSON', async () => {
    const api = await start();
    const header = fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/x',
      'text/plain',
    );
    const encoding = fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'compress');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), header, encoding, async (bytes, type, packing) => {
        const headers = { 'content-type': type, 'content-encoding': packing };
        const reply = await api.send('/api/v1/simulations', {
          method: 'POST',
          headers,
          body: Buffer.from(bytes),
        });
        expectAnswer(reply, [...bytes]);
      }),
      { numRuns: runs },
    );
  });

  it('whatever message it is to explain', async () => {
    const api = await start();
    const messages = [
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. Container api was using 2Gi, request is 0, has larger consumption of memory. ',
      'The node was low on resource: ephemeral-storage. Container x was using 1Ki, which exceeds its request of 0. ',
      'Usage of EmptyDir volume "cache" exceeds the limit "1Gi". ',
      'eviction manager: pods ranked for eviction: api_default(1), batch_default(2)',
      '"Eviction manager: pods ranked for eviction" pods=["default/api","default/batch"]',
      '{"msg":"eviction manager: pods ranked for eviction","pods":["default/api"]}',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(...messages.map(nearlyText), fc.string({ unit: 'binary' })),
        async (message) => {
          expectAnswer(await api.post('/api/v1/eviction-messages', { message }), message);
        },
      ),
      { numRuns: runs * 2 },
    );
  });

  it('whatever bytes come instead of a request', async () => {
    const api = await start();
    const { port } = new URL(api.url);
    const request =
      'POST /api/v1/simulations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearlyText(request), fc.string({ unit: 'binary' })), async (bytes) => {
        const answer = await new Promise<string>((resolve) => {
          let received = '';
          const socket = connect(Number(port), '127.0.0.1', () => socket.end(Buffer.from(bytes, 'latin1')));
          socket.on('data', (chunk) => {
            received += chunk.toString('latin1');
          });
          socket.on('error', () => undefined);
          socket.on('close', () => resolve(received));
        });
        expect(answer).not.toMatch(/^HTTP\/1\.1 5/m);
      }),
      { numRuns: runs },
    );
    expect((await api.get('/-/healthy')).status).toBe(200);
  });

  it('whatever stands for who sends it', async () => {
    const users = new Map([['alice', '$2b$04$abcdefghijklmnopqrstuuO5Q3yZ5Z5Z5Z5Z5Z5Z5Z5Z5Z5Z5Z5Z5']]);
    const access = { tls: undefined, users, bearerTokens: ['sixteen-characters'], fingerprint: '' };
    const api = await startApi(sampleSnapshot(), { logger, access: () => access });
    const authorization = fc.oneof(
      fc.string().map((given) => given.replaceAll(/[^\x20-\x7e]/g, '')),
      fc.string({ unit: 'binary' }).map((given) => `Basic ${Buffer.from(given).toString('base64')}`),
      nearlyText('Bearer sixteen-characters').map((given) => given.replaceAll(/[^\x20-\x7e]/g, '')),
    );
    await fc.assert(
      fc.asyncProperty(authorization, async (given) => {
        const { status } = await api.send('/metrics', { headers: { authorization: given } });
        const isRight = /^bearer +sixteen-characters *$/i.test(given.trim());
        expect(status).toBe(isRight ? 200 : 401);
      }),
      { numRuns: runs },
    );
  });
});
