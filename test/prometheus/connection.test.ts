import { expect, test } from 'vitest';
import {
  type ConnectionSettings,
  ConnectionSettingsError,
  connectionProblems,
} from '../../src/prometheus/connection.ts';
import { createPrometheusClient } from '../../src/prometheus/http-client.ts';
import { settingsFor } from './settings.ts';

const URL_OK = 'http://prometheus:9090';

test.each<[string, string, Partial<ConnectionSettings>, RegExp]>([
  ['no URL at all', '', {}, /must start with http/],
  ['a URL without a scheme', 'prometheus:9090', {}, /must start with http/],
  ['another scheme', 'ftp://prometheus', {}, /must start with http/],
  ['no time', URL_OK, { timeoutMs: 0 }, /timeout/],
  ['no time that is a number', URL_OK, { timeoutMs: Number.NaN }, /timeout/],
  ['a month', URL_OK, { timeoutMs: 31 * 86_400_000 }, /timeout/],
  ['a colon in the user', URL_OK, { basicAuth: { username: 'a:b', passwordFile: '/p' } }, /colon/],
  ['half a query at once', URL_OK, { concurrency: 0.5 }, /concurrency/],
  ['no body', URL_OK, { maxBodyBytes: 0 }, /body/],
  ['no attempt', URL_OK, { retries: { attempts: 0, baseDelayMs: 1 } }, /attempts/],
  ['a negative delay', URL_OK, { retries: { attempts: 1, baseDelayMs: -1 } }, /delay/],
  [
    'a token and a password',
    URL_OK,
    { bearerTokenFile: '/t', basicAuth: { username: 'u', passwordFile: '/p' } },
    /only one of/,
  ],
  ['a token and a user in the URL', 'http://u:p@prometheus', { bearerTokenFile: '/t' }, /only one of/],
  [
    'a token and its header',
    URL_OK,
    { bearerTokenFile: '/t', headers: { authorization: 'x' } },
    /only one of/,
  ],
  ['a header name with a space', URL_OK, { headers: { 'X Y': '1' } }, /header name/],
  ['a header value with a newline', URL_OK, { headers: { 'X-Y': 'a\nb' } }, /value of header X-Y/],
  ['a header value outside Latin-1', URL_OK, { headers: { 'X-Y': '☃' } }, /value of header X-Y/],
  ['a header of the client', URL_OK, { headers: { Host: 'x' } }, /set by the client/],
  ['a tenant of Prometheus', URL_OK, { tenant: 'a' }, /no tenant header/],
  ['a tenant of VictoriaMetrics', URL_OK, { dialect: 'victoriametrics', tenant: 'a' }, /no tenant header/],
  [
    'a tenant set twice',
    URL_OK,
    { dialect: 'mimir', tenant: 'a', headers: { 'x-scope-orgid': 'b' } },
    /set twice/,
  ],
  ['a tenant with a newline', URL_OK, { dialect: 'mimir', tenant: 'a\n' }, /the tenant has a character/],
  ['a certificate without a key', URL_OK, { tls: { certFile: '/c' } }, /both its file and its key/],
])('%s is one problem', (_name, url, changes, problem) => {
  const problems = connectionProblems(settingsFor(url, changes));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

test('good settings have no problem', () => {
  const settings = settingsFor('https://gateway/select/0/prometheus/', {
    dialect: 'thanos',
    tenant: 'a',
    headers: { 'X-A': 'b:c' },
    bearerTokenFile: '/t',
    tls: { caFile: '/ca', certFile: '/c', keyFile: '/k', serverName: 's' },
  });
  expect(connectionProblems(settings)).toEqual([]);
});

test('all problems are told at once, and no secret with them', () => {
  const settings = settingsFor('http://u:secret1@', { timeoutMs: -1, headers: { 'X-Y': 'secret2\n' } });
  try {
    createPrometheusClient(settings);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConnectionSettingsError);
    expect((error as ConnectionSettingsError).problems).toHaveLength(3);
    expect(String(error)).not.toContain('secret');
  }
});
