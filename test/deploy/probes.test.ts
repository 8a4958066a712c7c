import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../src/demo/loopback.ts';
import { createAuthority, issueCertificate } from '../prometheus/certificates.ts';
import { startProcess } from '../support/process.ts';
import { missingGo } from '../support/tool-cache.ts';
import { Helm, only, requiredValues, type Values } from './helm.ts';

interface Probe {
  readonly httpGet?: { readonly path: string; readonly scheme?: string };
  readonly tcpSocket?: object;
}

/** Status, as the kubelet asks for it: it verifies no certificate and has none itself; 0 = no answer, 1 = connected. */
function ask({ httpGet, tcpSocket }: Probe, port: number): Promise<number> {
  return new Promise((resolve) => {
    if (tcpSocket !== undefined) {
      const socket = connect(port, '127.0.0.1', () => resolve(1)).on('error', () => resolve(0));
      onTestFinished(() => void socket.destroy());
      return;
    }
    const options = { host: '127.0.0.1', port, path: httpGet?.path ?? '/' };
    const answer = (response: IncomingMessage): void => {
      response.resume();
      resolve(response.statusCode ?? 0);
    };
    const asking =
      httpGet?.scheme === 'HTTPS'
        ? requestTls({ ...options, rejectUnauthorized: false }, answer)
        : requestPlain(options, answer);
    asking.on('error', () => resolve(0)).end();
  });
}

describe.skipIf(missingGo !== '')(`the probes of the Helm chart${missingGo}`, () => {
  let helm: Helm;
  const files: Record<string, string> = {};
  beforeAll(async () => {
    helm = await Helm.obtain();
    const authority = await createAuthority('test authority');
    const server = await issueCertificate('127.0.0.1', authority);
    Object.assign(files, { 'tls.crt': server.cert, 'tls.key': server.private, 'ca.crt': authority.cert });
  }, 600_000);

  const tls = 'cert_file: tls.crt, key_file: tls.key';
  const users = `basic_auth_users: { alice: "${hashSync('open sesame', 4)}" }\n`;

  // There is no Prometheus, so what is asked is alive and not ready.
  it.each<[string, { web: string; probes: Values; alive: number; ready: number }]>([
    ['an empty web configuration', { web: '', probes: {}, alive: 200, ready: 503 }],
    ['users', { web: users, probes: {}, alive: 200, ready: 503 }],
    [
      'users and TLS',
      {
        web: `${users}tls_server_config: { ${tls} }\n`,
        probes: { scheme: 'HTTPS' },
        alive: 200,
        ready: 503,
      },
    ],
    [
      'client certificates',
      {
        web: `tls_server_config: { ${tls}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ca.crt }\n`,
        probes: { tcpSocket: true },
        alive: 1,
        ready: 1,
      },
    ],
  ])('are answered with %s', async (_name, { web, probes, alive, ready }) => {
    const folder = mkdtempSync(join(tmpdir(), 'evictrank-probes-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries({ ...files, 'web.yaml': web })) {
      writeFileSync(join(folder, name), text);
    }
    const values = {
      ...requiredValues,
      prometheus: { url: 'http://127.0.0.1:1' },
      priorityClasses: { read: false },
      probes,
      config: { 'web.config.file': join(folder, 'web.yaml') },
    };
    const objects = helm.objects(values);
    const [container] = only(objects, 'Deployment').spec.template.spec.containers;
    const settings = objects.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'evictrank',
    )?.data['evictrank.yaml'];
    const port = await findFreePort();
    const file = join(folder, 'evictrank.yaml');
    writeFileSync(file, settings.replace('":9896"', `"127.0.0.1:${port}"`));
    const service = startProcess(['serve', `--config.file=${file}`]);
    await service.outputWhen(/"msg":"listening"/);
    expect(await ask(container.livenessProbe, port)).toBe(alive);
    expect(await ask(container.readinessProbe, port)).toBe(ready);
  });
});
