import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { openAccess, type WebConfig } from '../../../../src/outputs/api/access/web-config.ts';
import { startApi } from '../api-server.ts';
import { sampleSnapshot } from '../sample-data.ts';

const token = 'a-token-of-the-scraper';
const access: WebConfig = {
  ...openAccess,
  users: new Map([
    ['alice', hashSync('open sesame', 4)],
    ['jürgen', hashSync('Schlüssel:mit:Doppelpunkt', 4)],
  ]),
  bearerTokens: ['the-token-before-it', token],
};

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

const paths = [
  '/',
  '/metrics',
  '/openapi.json',
  '/api/v1/status',
  '/api/v1/nodes',
  '/api/v1/pods/default/api',
  '/no/such/path',
];

describe('with users and tokens', () => {
  it.each(paths)('%s is closed, and open with the right password or token', async (path) => {
    const api = await startApi(sampleSnapshot(), { access: () => access });
    const refused = await api.get(path);
    expect(refused).toMatchObject({ status: 401, type: 'application/problem+json' });
    const statuses = await Promise.all(
      [basic('alice:open sesame'), `Bearer ${token}`].map(
        async (authorization) => (await api.send(path, { headers: { authorization } })).status,
      ),
    );
    const expected = path.startsWith('/no') ? 404 : 200;
    expect(statuses).toEqual([expected, expected]);
  });

  it.each([
    ['/-/healthy', 'evictrank is alive.\n', 200],
    ['/-/ready', 'evictrank is not ready\n', 503],
  ])('%s is answered to everybody, with a yes or no', async (path, text, status) => {
    const state = { lastOutcome: 'failed', lastError: 'query pods to http://inner.example failed' } as const;
    const closed = await startApi(undefined, { access: () => access, state });
    expect(await closed.get(path)).toMatchObject({ status, text });
    expect(await closed.send(path, { headers: { authorization: basic('alice:wrong') } })).toMatchObject({
      status,
      text,
    });
    expect((await closed.post(path, {})).status).toBe(401);
    expect((await closed.get(`${path}/`)).text).not.toContain('inner.example');
    const open = await startApi(undefined, { state });
    expect((await open.get('/-/ready')).text).toContain('no data yet: query pods to http://inner.example');
  });

  it.each([
    ['a user with letters of his own and colons in the password', basic('jürgen:Schlüssel:mit:Doppelpunkt')],
    ['the scheme in other letters', basic('alice:open sesame').replace('Basic', 'bASIC')],
    ['a token that is on its way out', 'Bearer the-token-before-it'],
  ])('%s is let in', async (_name, authorization) => {
    const api = await startApi(sampleSnapshot(), { access: () => access });
    expect((await api.send('/metrics', { headers: { authorization } })).status).toBe(200);
  });

  it.each([
    ['a wrong password', basic('alice:open')],
    ['the password with something behind it', basic('alice:open sesame ')],
    ['an unknown user', basic('mallory:open sesame')],
    ['no colon', basic('alice')],
    ['nothing', basic('')],
    ['something that is not base64', 'Basic %%%'],
    ['the hash itself', basic(`alice:${access.users.get('alice')}`)],
    ['a wrong token', 'Bearer another-token-of-someone'],
    ['part of the token', `Bearer ${token.slice(0, -1)}`],
    ['the token as a password', basic(`alice:${token}`)],
    ['the token under another scheme', `Token ${token}`],
    ['the scheme alone', 'Bearer'],
    ['an empty token', 'Bearer  '],
    ['a user named like a property of objects', basic('__proto__:x')],
  ])('%s is refused, and what was sent is not repeated', async (_name, authorization) => {
    const api = await startApi(sampleSnapshot(), { access: () => access });
    const reply = await fetch(`${api.url}/metrics`, { headers: { authorization } });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe(
      'Basic realm="evictrank", charset="UTF-8", Bearer realm="evictrank"',
    );
    const sent = authorization.split(' ')[1];
    if (sent) expect(await reply.text()).not.toContain(sent);
  });

  it('a body is not read from somebody who is not let in', async () => {
    const api = await startApi(sampleSnapshot(), { access: () => access });
    expect((await api.post('/api/v1/simulations', '{')).status).toBe(401);
  });

  it('a configuration that changed counts from the next request on', async () => {
    let current = access;
    const api = await startApi(sampleSnapshot(), { access: () => current });
    const headers = { authorization: basic('alice:open sesame') };
    expect((await api.send('/metrics', { headers })).status).toBe(200);
    current = { ...access, users: new Map([['alice', hashSync('changed', 4)]]) };
    expect((await api.send('/metrics', { headers })).status).toBe(401);
    current = openAccess;
    expect((await api.get('/metrics')).status).toBe(200);
  });
});

it('with tokens alone, passwords are not asked for', async () => {
  const api = await startApi(sampleSnapshot(), { access: () => ({ ...access, users: new Map() }) });
  const reply = await fetch(`${api.url}/metrics`, { headers: { authorization: basic('alice:open sesame') } });
  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="evictrank"');
});
