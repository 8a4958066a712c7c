import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { hashSync } from 'bcryptjs';
import express from 'express';
import type { GenerateResult } from 'selfsigned';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../../src/foundation/logger.ts';
import type { WebConfig } from '../../../../src/outputs/api/access/web-config.ts';
import { watchWebConfig } from '../../../../src/outputs/api/access/web-config-watch.ts';
import { listen } from '../../../../src/outputs/api/listen.ts';
import { createAuthority, issueCertificate } from '../../../prometheus/certificates.ts';
import { folderWith } from './web-config-files.ts';

let authority: GenerateResult;
let server: GenerateResult;
let renewed: GenerateResult;
let client: GenerateResult;
let stranger: GenerateResult;
let strangersAuthority: GenerateResult;

beforeAll(async () => {
  [authority, strangersAuthority] = await Promise.all([
    createAuthority('test authority'),
    createAuthority('another authority'),
  ]);
  [server, renewed, client, stranger] = await Promise.all([
    issueCertificate('127.0.0.1', authority),
    issueCertificate('127.0.0.1', authority),
    issueCertificate('scraper', authority),
    issueCertificate('stranger', strangersAuthority),
  ]);
});

const tls = (rest = ''): string => `tls_server_config: { cert_file: tls.crt, key_file: tls.key${rest} }\n`;
const closed = (type: string): string => tls(`, client_auth_type: ${type}, client_ca_file: ca.crt`);

interface Logged {
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A server that follows its web configuration every few milliseconds. */
async function serve(text: string) {
  const folder = folderWith({
    'web.yaml': text,
    'tls.crt': server.cert,
    'tls.key': server.private,
    'ca.crt': authority.cert,
  });
  const lines: Logged[] = [];
  const log = (fields: unknown, message?: string): void =>
    void lines.push({ fields: fields as Logged['fields'], message: message ?? '' });
  let changed: () => void = () => undefined;
  const access = await watchWebConfig({
    file: join(folder, 'web.yaml'),
    logger: { ...silentLogger, debug: log, info: log, warn: log, error: log },
    onChange: () => changed(),
    intervalMs: 20,
  });
  const app = express();
  app.use((_request, response) => void response.send('hello'));
  const web = await listen(app, { host: '127.0.0.1', port: 0, access: access.current });
  changed = web.accessChanged;
  onTestFinished(async () => {
    access.stop();
    await web.close();
  });
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  return { url: web.url, write, lines, current: access.current };
}

interface Answer {
  readonly outcome: 'answered' | 'refused';
  readonly serial: string | undefined;
  readonly protocol: string | null;
}

/** One request on a connection of its own. */
function ask(url: string, options: ConnectionOptions = {}): Promise<Answer> {
  return new Promise((resolve) => {
    let serial: string | undefined;
    let protocol: string | null = null;
    const call = request(url, { ca: authority.cert, agent: false, ...options }, (response) => {
      response.resume();
      response.on('end', () => resolve({ outcome: 'answered', serial, protocol }));
      response.on('error', () => resolve({ outcome: 'refused', serial, protocol }));
    });
    call.on('socket', (socket) =>
      socket.on('secureConnect', () => {
        const secure = socket as import('node:tls').TLSSocket;
        serial = secure.getPeerX509Certificate()?.serialNumber;
        protocol = secure.getProtocol();
      }),
    );
    call.on('error', () => resolve({ outcome: 'refused', serial, protocol }));
    call.end();
  });
}

const certificateOf = ({ cert, private: key }: GenerateResult): ConnectionOptions => ({ cert, key });

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it never came to be so');
}

describe('client certificates', () => {
  const none = (): ConnectionOptions => ({});
  const right = (): ConnectionOptions => certificateOf(client);
  const wrong = (): ConnectionOptions => certificateOf(stranger);
  it.each([
    ['NoClientCert', 'none', none, 'answered'],
    ['RequestClientCert', 'none', none, 'answered'],
    ['RequestClientCert', 'one of a stranger', wrong, 'answered'],
    ['RequireAnyClientCert', 'none', none, 'refused'],
    ['RequireAnyClientCert', 'one of a stranger', wrong, 'answered'],
    ['VerifyClientCertIfGiven', 'none', none, 'answered'],
    ['VerifyClientCertIfGiven', 'one of a stranger', wrong, 'refused'],
    ['VerifyClientCertIfGiven', 'a right one', right, 'answered'],
    ['RequireAndVerifyClientCert', 'none', none, 'refused'],
    ['RequireAndVerifyClientCert', 'one of a stranger', wrong, 'refused'],
    ['RequireAndVerifyClientCert', 'a right one', right, 'answered'],
  ])('%s with %s', async (type, _name, options, outcome) => {
    const { url } = await serve(type === 'NoClientCert' ? tls() : closed(type));
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const answer = await ask(url, { ...options(), minVersion: version, maxVersion: version });
      expect([version, answer.outcome]).toEqual([version, outcome]);
    }
  });
});

describe('TLS', () => {
  it('has the version asked for, and no other', async () => {
    const { url } = await serve(tls(', min_version: TLS13'));
    expect(await ask(url)).toMatchObject({ outcome: 'answered', protocol: 'TLSv1.3' });
    expect(await ask(url, { maxVersion: 'TLSv1.2' })).toMatchObject({ outcome: 'refused' });
  });

  it('does not talk to whoever speaks plain HTTP', async () => {
    const { url } = await serve(tls());
    await expect(fetch(url.replace('https', 'http'))).rejects.toThrow('fetch failed');
    expect(await ask(url)).toMatchObject({ outcome: 'answered' });
  });
});

describe('a running server', () => {
  it('takes up a certificate that was renewed', async () => {
    const { url, write, lines } = await serve(tls());
    const before = await ask(url);
    write('tls.key', renewed.private);
    write('tls.crt', renewed.cert);
    await until(async () => (await ask(url)).serial !== before.serial);
    expect(lines.at(-1)?.message).toBe('web configuration read again');
  });

  it('keeps the old certificate while the new one lacks its key, and says so once', async () => {
    const { url, write, lines } = await serve(tls());
    const before = await ask(url);
    write('tls.crt', renewed.cert);
    await until(() => lines.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toBe('web configuration not read again, the old one stays');
    expect(String(lines[0]?.fields.error)).toContain('ERR_OSSL_X509_KEY_VALUES_MISMATCH');
    expect((await ask(url)).serial).toBe(before.serial);
    write('tls.key', renewed.private);
    await until(async () => (await ask(url)).serial !== before.serial);
  });

  it('asks for client certificates once the file says so, and no longer when it does not', async () => {
    const { url, write } = await serve(tls());
    expect(await ask(url)).toMatchObject({ outcome: 'answered' });
    write('web.yaml', closed('RequireAndVerifyClientCert'));
    await until(async () => (await ask(url)).outcome === 'refused');
    expect(await ask(url, certificateOf(client))).toMatchObject({ outcome: 'answered' });
    expect(await ask(url, certificateOf(stranger))).toMatchObject({ outcome: 'refused' });
    write('web.yaml', tls());
    await until(async () => (await ask(url)).outcome === 'answered');
  });

  it('believes another authority once its file changed, and not the one before', async () => {
    const { url, write } = await serve(closed('RequireAndVerifyClientCert'));
    write('ca.crt', strangersAuthority.cert);
    await until(async () => (await ask(url, certificateOf(stranger))).outcome === 'answered');
    expect(await ask(url, certificateOf(client))).toMatchObject({ outcome: 'refused' });
  });

  it('keeps TLS when the file takes it away, since that needs a restart', async () => {
    const { url, write, lines, current } = await serve(tls());
    write('web.yaml', `basic_auth_users: { alice: "${hashSync('a', 4)}" }`);
    await until(() => lines.length > 0);
    expect(lines[0]?.fields.error).toBe('switching TLS on or off needs a restart');
    expect((current() as WebConfig).tls).toBeDefined();
    expect(await ask(url)).toMatchObject({ outcome: 'answered' });
  });

  it('keeps what was in force when the file is gone or damaged, and names the problem', async () => {
    const { url, write, lines } = await serve(closed('RequireAndVerifyClientCert'));
    write('web.yaml', 'tls_server_config: [');
    await until(() => lines.length > 0);
    expect(String(lines[0]?.fields.error)).toContain('it is not YAML (line 1)');
    expect(await ask(url)).toMatchObject({ outcome: 'refused' });
    expect(await ask(url, certificateOf(client))).toMatchObject({ outcome: 'answered' });
  });
});
