import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/config/load.ts';
import { readWebConfig } from '../../../../src/outputs/api/access/web-config.ts';
import { createAuthority, issueCertificate } from '../../../prometheus/certificates.ts';
import { folderWith } from './web-config-files.ts';

const hash = hashSync('open sesame', 4);
let files: Record<string, string>;

beforeAll(async () => {
  const authority = await createAuthority('test authority');
  const [server, other] = await Promise.all([
    issueCertificate('127.0.0.1', authority),
    issueCertificate('127.0.0.1', authority),
  ]);
  files = {
    'ca.crt': authority.cert,
    'tls.crt': server.cert,
    'tls.key': server.private,
    'other.key': other.private,
    token: 'a-token-of-the-scraper\n',
    'short-token': 'short\n',
    'long-text': 'two words are not a token\n',
  };
});

async function read(text: string) {
  return readWebConfig(join(folderWith({ ...files, 'web.yaml': text }), 'web.yaml'));
}

async function problemsOf(text: string): Promise<string> {
  const error = await read(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems.join('\n');
}

const tls = 'tls_server_config: { cert_file: tls.crt, key_file: tls.key';

describe('the web configuration', () => {
  it('reads everything it knows, files relative to its own folder', async () => {
    const config = await read(
      `${tls}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ca.crt, min_version: TLS13 }\n` +
        `basic_auth_users:\n  alice: ${hash}\nbearer_token_files: [token]\n`,
    );
    expect(config).toMatchObject({
      tls: { clientAuth: 'RequireAndVerifyClientCert', minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' },
      users: new Map([['alice', hash]]),
      bearerTokens: ['a-token-of-the-scraper'],
    });
  });

  it.each([
    ['an empty file', ''],
    ['a comment', '# nothing\n'],
    ['an empty object', '{}'],
  ])('is open to everybody in %s', async (_name, text) => {
    expect(await read(text)).toMatchObject({ tls: undefined, users: new Map(), bearerTokens: [] });
  });

  it.each([
    ['TLS 1.2 and later unless told otherwise', `${tls} }`, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' }],
    ['no client certificate unless told otherwise', `${tls} }`, { clientAuth: 'NoClientCert' }],
  ])('takes %s', async (_name, text, expected) => {
    expect((await read(text)).tls).toMatchObject(expected);
  });

  it.each([
    ['text that is not YAML', 'a: [', /it is not YAML \(line 1\)/],
    ['something else than sections', '- a', /expected object/],
    [
      'a section nobody knows',
      'http_server_config: { http2: true }',
      /http_server_config is not known or not supported/,
    ],
    ['a key nobody knows', `${tls}, cipher_suites: [] }`, /tls_server_config\.cipher_suites is not known/],
    [
      'a certificate without its key',
      'tls_server_config: { cert_file: tls.crt }',
      /tls_server_config\.key_file/,
    ],
    [
      'a key of another certificate',
      'tls_server_config: { cert_file: tls.crt, key_file: other.key }',
      /MISMATCH/,
    ],
    [
      'a certificate that is not there',
      'tls_server_config: { cert_file: no.crt, key_file: tls.key }',
      /cert_file cannot be read \(no.crt: ENOENT\)/,
    ],
    [
      'a certificate that is none',
      'tls_server_config: { cert_file: token, key_file: tls.key }',
      /not a certificate with its key/,
    ],
    [
      'an authority that is none',
      `${tls}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: token }`,
      /client_ca_file holds no certificate/,
    ],
    [
      'an authority that is not used',
      `${tls}, client_ca_file: ca.crt }`,
      /client_ca_file does nothing without client_auth_type/,
    ],
    [
      'certificates to verify without an authority',
      `${tls}, client_auth_type: RequireAndVerifyClientCert }`,
      /needs client_ca_file/,
    ],
    [
      'certificates to verify if given without an authority',
      `${tls}, client_auth_type: VerifyClientCertIfGiven }`,
      /needs client_ca_file/,
    ],
    [
      'a policy nobody knows',
      `${tls}, client_auth_type: Sometimes }`,
      /client_auth_type: must be one of NoClientCert, /,
    ],
    ['an old version of TLS', `${tls}, min_version: TLS10 }`, /min_version: must be TLS12 or TLS13/],
    [
      'versions the wrong way round',
      `${tls}, min_version: TLS13, max_version: TLS12 }`,
      /min_version is above max_version/,
    ],
    [
      'a password instead of a hash',
      'basic_auth_users: { alice: open-sesame }',
      /basic_auth_users\.alice: must be a bcrypt hash/,
    ],
    [
      'a hash that takes hours',
      `basic_auth_users: { alice: "${hash.replace('$04$', '$31$')}" }`,
      /a cost from 4 to 14/,
    ],
    ['a hash that was cut', `basic_auth_users: { alice: "${hash.slice(0, -1)}" }`, /must be a bcrypt hash/],
    [
      'a number instead of a hash',
      'basic_auth_users: { alice: 5 }',
      /basic_auth_users\.alice: must be a bcrypt hash/,
    ],
    ['a user name with a colon', `basic_auth_users: { "a:b": "${hash}" }`, /nor contain a colon/],
    ['a user twice', `basic_auth_users:\n  alice: ${hash}\n  alice: ${hash}\n`, /it is not YAML/],
    ['a token that is too short', 'bearer_token_files: [short-token]', /short-token must hold one token/],
    ['a token of several words', 'bearer_token_files: [long-text]', /long-text must hold one token/],
    [
      'a token file that is not there',
      'bearer_token_files: [gone]',
      /a bearer token file cannot be read \(gone: ENOENT\)/,
    ],
  ])('refuses %s', async (_name, text, message) => {
    expect(await problemsOf(text)).toMatch(message);
  });

  it('tells every problem at once, and repeats no secret', async () => {
    const problems = await problemsOf(
      'tls_server_config: { cert_file: tls.crt, key_file: other.key, client_auth_type: RequireAnyClientCert, client_ca_file: gone }\n' +
        `basic_auth_users: { alice: "${hash}" }\nbearer_token_files: [short-token, long-text]\n`,
    );
    for (const part of ['MISMATCH', 'client_ca_file', 'short-token', 'long-text'])
      expect(problems).toContain(part);
    for (const secret of ['two words', hash, 'PRIVATE']) expect(problems).not.toContain(secret);

    const shape = await problemsOf(
      'basic_auth_users: { alice: secret-1, bob: secret-2 }\nunknown: 1\nbearer_token_files: [5, gone]\n' +
        'tls_server_config: { cert_file: tls.crt, key_file: missing.key, client_auth_type: Sometimes }\n',
    );
    for (const part of [
      'alice',
      'bob',
      'unknown',
      'gone: ENOENT',
      'missing.key: ENOENT',
      'client_auth_type',
    ]) {
      expect(shape).toContain(part);
    }
    expect(shape).not.toContain('secret-');
  });

  it('names a file that is not there', async () => {
    await expect(readWebConfig('/no/such/web.yaml')).rejects.toThrow(
      'it cannot be read (/no/such/web.yaml: ENOENT)',
    );
  });
});
