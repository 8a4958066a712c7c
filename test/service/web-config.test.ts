import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../src/demo/loopback.ts';
import { createAuthority, issueCertificate } from '../prometheus/certificates.ts';
import { runProcess, startProcess } from '../support/process.ts';

let folder: string;
let ca: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evictrank-web-config-'));
  const authority = await createAuthority('test authority');
  const server = await issueCertificate('127.0.0.1', authority);
  ca = authority.cert;
  writeFileSync(join(folder, 'tls.crt'), server.cert);
  writeFileSync(join(folder, 'tls.key'), server.private);
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A service that never gets data: who may ask does not depend on them. */
async function serve(file: string, ...flags: readonly string[]) {
  const port = await findFreePort();
  const service = startProcess([
    'serve',
    '--prometheus.url=http://127.0.0.1:9',
    `--web.listen-address=127.0.0.1:${port}`,
    `--web.config.file=${file}`,
    ...flags,
  ]);
  await service.outputWhen(/listening/);
  return { service, url: `http://127.0.0.1:${port}` };
}

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`alice:${password}`).toString('base64')}`,
});

describe('the service with a web configuration', () => {
  it('names every problem of the file and ends with exit code 2, having started nothing', async () => {
    const file = fileWith(
      'wrong.yaml',
      'tls_server_config: { cert_file: gone.crt, key_file: tls.key }\nbearer_token_files: [gone]\n',
    );
    const { status, output } = await runProcess([
      'serve',
      '--prometheus.url=http://127.0.0.1:9',
      `--web.config.file=${file}`,
    ]);
    expect(status).toBe(2);
    expect(output).toContain('cert_file cannot be read (gone.crt: ENOENT)');
    expect(output).toContain('a bearer token file cannot be read (gone: ENOENT)');
    expect(output).not.toContain('listening');
  });

  it('asks for the password, and answers others while it computes', async () => {
    const file = fileWith(
      'users.yaml',
      `basic_auth_users: { alice: "${hashSync('a', 4)}", slow: "${hashSync('b', 13)}" }`,
    );
    const { url } = await serve(file);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/status`)).status).toBe(401);
    expect((await fetch(`${url}/metrics`, { headers: basic('wrong') })).status).toBe(401);
    expect((await fetch(`${url}/metrics`, { headers: basic('a') })).status).toBe(200);
    // A cost of 13 takes some half a second of CPU each; what is known meanwhile is answered at once.
    const slow = { authorization: `Basic ${Buffer.from('slow:wrong').toString('base64')}` };
    let ended = 0;
    const tries = Array.from({ length: 3 }, async (_, i) => {
      const headers = { authorization: `${slow.authorization.slice(0, -4)}${'abcd'.slice(0, i)}` };
      await fetch(`${url}/metrics`, { headers });
      ended += 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let i = 0; i < 3; i += 1) {
      expect((await fetch(`${url}/metrics`, { headers: basic('a') })).status).toBe(200);
    }
    expect(ended).toBeLessThan(3);
    await Promise.all(tries);
  });

  it('follows a password that was changed, and ends with exit code 0', async () => {
    const file = fileWith('changing.yaml', `basic_auth_users: { alice: "${hashSync('before', 4)}" }`);
    const { service, url } = await serve(file);
    expect((await fetch(`${url}/metrics`, { headers: basic('before') })).status).toBe(200);
    writeFileSync(file, `basic_auth_users: { alice: "${hashSync('after', 4)}" }`);
    await service.outputWhen(/web configuration read again/);
    expect((await fetch(`${url}/metrics`, { headers: basic('before') })).status).toBe(401);
    expect((await fetch(`${url}/metrics`, { headers: basic('after') })).status).toBe(200);
    await service.stop();
    expect(await service.ended).toBe(0);
  });

  it('speaks TLS, and says so where it says that it listens', async () => {
    const { service, url } = await serve(
      fileWith('tls.yaml', 'tls_server_config: { cert_file: tls.crt, key_file: tls.key }'),
    );
    expect(service.output()).toContain(`"url":"${url.replace('http', 'https')}"`);
    const status = await new Promise((resolve, reject) => {
      request(`${url.replace('http', 'https')}/metrics`, { ca }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });
});

describe('the log', () => {
  it('is logfmt where asked for, from both threads', async () => {
    const { service } = await serve(fileWith('empty.yaml', ''), '--log.format=logfmt');
    const output = await service.outputWhen(/refresh failed/);
    expect(output).toMatch(/^level=info time=\S+ url=http:\S+ version=\S+ msg=listening$/m);
    expect(output).toMatch(
      /^level=error time=\S+ durationSeconds=[\d.e-]+ error=".*ECONNREFUSED.*" msg="refresh failed"$/m,
    );
  });
});
