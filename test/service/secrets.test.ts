import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import type { GenerateResult } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../src/demo/loopback.ts';
import { createAuthority, issueCertificate } from '../prometheus/certificates.ts';
import { runProcess, startProcess } from '../support/process.ts';
import { smallCluster } from '../support/wire-cluster.ts';

const token = 'Tok3n-of-the-backend+/with~signs==';
const password = 'Passw0rd "quoted" \\ of the backend';
const headerSecret = 'H3ader:value;with,signs&more';
const urlSecret = 'Key1nTheUrlOfTheBackend';
const webPassword = 'WebPassw0rdOfAlice';
const webToken = 'WebTok3nOfTheScraper';
const webHash = hashSync(webPassword, 4);

let folder: string;
let authority: GenerateResult;
let server: GenerateResult;
let client: GenerateResult;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evictrank-secrets-'));
  authority = await createAuthority('test authority');
  [server, client] = await Promise.all([
    issueCertificate('127.0.0.1', authority),
    issueCertificate('service', authority),
  ]);
  const files = {
    token: `${token}\n`,
    password: `${password}\n`,
    'ca.crt': authority.cert,
    'client.crt': client.cert,
    'client.key': client.private,
    'web.key': server.private,
    'web.crt': server.cert,
    webtoken: webToken,
    'web.yaml': `basic_auth_users: { alice: "${webHash}" }\nbearer_token_files: [webtoken]\n`,
    'settings.yaml': `prometheus.header:\n  - "X-Key: ${headerSecret}"\n  - 'X-Other: harmless'\n`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);

/** Ways to give secrets, and what must never be seen again. */
const cases: readonly (readonly [
  name: string,
  given: () => { flags?: readonly string[]; environment?: Record<string, string>; query?: string },
  secrets: readonly string[],
])[] = [
  [
    'a token file, headers in the settings file and a key in the URL',
    () => ({
      flags: [`--prometheus.bearer-token-file=${at('token')}`],
      environment: { EVICTRANK_CONFIG_FILE: at('settings.yaml') },
      query: `?key=${urlSecret}`,
    }),
    [token, headerSecret, urlSecret],
  ],
  [
    'a password file and headers in the environment',
    () => ({
      flags: ['--prometheus.username=reader', `--prometheus.password-file=${at('password')}`],
      environment: { EVICTRANK_PROMETHEUS_HEADER: `X-Key: ${headerSecret}\nX-Second: ${token}` },
    }),
    [Buffer.from(`reader:${password}`).toString('base64'), password, headerSecret, token],
  ],
];

/** What a secret looks like wherever it is escaped. */
function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
    JSON.stringify(secret).slice(1, -1),
    ...(secret.match(/[A-Za-z0-9]{8,}/g) ?? []),
  ];
}

type Mode = 'warn' | 'fail' | 'page' | 'redirect';

/** A backend that repeats all it was sent, as proxies do when they say what went wrong. */
async function startEcho() {
  let mode: Mode = 'warn';
  const heard = new Set<string>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const echo = `${request.url} ${JSON.stringify(request.headers)}`;
    for (const value of Object.values(request.headers)) heard.add(String(value));
    heard.add(String(request.url));
    switch (mode) {
      case 'warn': {
        const end = response.end.bind(response);
        response.end = ((body: string) =>
          end(JSON.stringify({ ...JSON.parse(body), warnings: [echo] }))) as never;
        smallCluster()(request, response);
        break;
      }
      case 'fail':
        request.resume();
        response.statusCode = 422;
        response.end(JSON.stringify({ status: 'error', errorType: 'execution', error: `denied: ${echo}` }));
        break;
      case 'page':
        request.resume();
        response.statusCode = 502;
        response.end(`<html>${echo}</html>`);
        break;
      case 'redirect':
        request.resume();
        response.statusCode = 302;
        response.setHeader('Location', `https://127.0.0.1:9/${encodeURIComponent(echo)}`);
        response.end();
        break;
    }
  };
  const backend = createServer(
    {
      key: server.private,
      cert: server.cert,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    },
    answer,
  );
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    backend.closeAllConnections();
    backend.close();
  });
  return {
    url: `https://127.0.0.1:${(backend.address() as AddressInfo).port}/base/`,
    heard,
    become: (next: Mode) => {
      mode = next;
    },
  };
}

const paths = [
  '/',
  '/metrics',
  '/-/healthy',
  '/-/ready',
  '/openapi.json',
  '/api/v1/status',
  '/api/v1/nodes',
  '/api/v1/nodes/n1',
  '/api/v1/pods',
  '/api/v1/pods/a/x',
  '/api/v1/workloads?format=csv',
  '/api/v1/nodes/gone',
  '/api/v1/pods?unknown=1',
];

/** Everything the service answers, headers included. */
async function everything(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${webToken}` };
  const answers = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${url}${path}`, { headers });
      return `${path} ${JSON.stringify([...response.headers])} ${await response.text()}`;
    }),
  );
  const wrong = await fetch(`${url}/metrics`, {
    headers: { authorization: `Basic ${Buffer.from('alice:WrongPassw0rd').toString('base64')}` },
  });
  return [...answers, await wrong.text()].join('\n');
}

async function statusWhen(url: string, holds: (text: string) => boolean): Promise<void> {
  const headers = { authorization: `Bearer ${webToken}` };
  for (let i = 0; i < 300; i += 1) {
    if (holds(await (await fetch(`${url}/api/v1/status`, { headers })).text())) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the status never came to be so');
}

describe('a secret is shown nowhere', () => {
  it.each(cases)('%s', { timeout: 120_000 }, async (_name, given, secrets) => {
    const echo = await startEcho();
    const { flags = [], environment = {}, query = '' } = given();
    const settings = [
      `--prometheus.ca-file=${at('ca.crt')}`,
      `--prometheus.cert-file=${at('client.crt')}`,
      `--prometheus.key-file=${at('client.key')}`,
      '--window.duration=1h',
      ...flags,
    ];
    const surroundings = { ...environment, EVICTRANK_PROMETHEUS_URL: `${echo.url}${query}` };
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const windowFile = at(`window-${port}`);
    const service = startProcess(
      [
        'serve',
        ...settings,
        '--log.level=debug',
        '--refresh.interval=5s',
        '--prometheus.timeout=2s',
        `--window.file=${windowFile}`,
        `--web.listen-address=127.0.0.1:${port}`,
        `--web.config.file=${at('web.yaml')}`,
      ],
      surroundings,
    );
    await service.outputWhen(/"msg":"refreshed"/);
    const commandLine = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8');
    const seen = [commandLine, await everything(url)];
    // The backend has the secret and said it, so that its place was taken by what follows.
    const heard = [...echo.heard].join('\n');
    for (const secret of secrets.filter((one) => one !== password)) expect(heard).toContain(secret);
    expect(seen.join('\n')).toContain('[redacted]');
    for (const mode of ['fail', 'page', 'redirect'] as const) {
      const before = service.output().length;
      echo.become(mode);
      await service.outputWhen(new RegExp(`^[\\s\\S]{${before},}"msg":"refresh failed"`));
      await statusWhen(url, (text) => text.includes('"outcome":"failed"'));
      seen.push(await everything(url));
    }
    for (const [mode, ...command] of [
      ['fail', 'check'],
      ['fail', 'explain', 'a/x'],
      ['warn', 'check'],
      ['warn', 'snapshot', '-'],
    ] as const) {
      echo.become(mode);
      seen.push((await runProcess([...command, ...settings], surroundings)).output);
    }
    await service.stop();
    seen.push(service.output());
    for (const file of readdirSync(folder).filter((one) => one.startsWith(`window-${port}`))) {
      seen.push(readFileSync(at(file), 'latin1'));
    }

    const all = seen.join('\n');
    expect(all).toContain('"msg":"refresh failed"');
    const web = [webPassword, webToken, webHash, 'WrongPassw0rd'];
    const keys = [client.private.split('\n')[1] ?? '', server.private.split('\n')[1] ?? ''];
    for (const secret of [...secrets, ...web, ...keys]) {
      expect(secret.length).toBeGreaterThan(10);
      for (const form of formsOf(secret)) expect(all).not.toContain(form);
    }
  });
});

describe('a setting that is wrong', () => {
  it.each([
    ['a password in the URL', ['--prometheus.url=http://reader:Passw0rdInUrl@host:9090'], {}],
    [
      'a header without a colon',
      ['--prometheus.url=http://x'],
      { EVICTRANK_PROMETHEUS_HEADER: 'Passw0rdInHeader' },
    ],
    [
      'a header with a control character',
      ['--prometheus.url=http://x'],
      { EVICTRANK_PROMETHEUS_HEADER: 'X: Passw0rd\u0001' },
    ],
    [
      'two ways to authenticate',
      [
        '--prometheus.url=http://x',
        '--prometheus.username=u',
        '--prometheus.password-file=/p',
        '--prometheus.bearer-token-file=/Passw0rdFileIsNoSecret',
      ],
      { EVICTRANK_PROMETHEUS_HEADER: 'Authorization: Passw0rd' },
    ],
  ])('%s is told without the secret', async (_name, flags, environment) => {
    const { status, output } = await runProcess(['serve', ...flags], environment as Record<string, string>);
    expect(status).toBe(2);
    expect(output).not.toContain('Passw0rd');
  });

  it.each([
    ['is no YAML', 'prometheus.header: ["X-Key: Passw0rd\n', 'is not YAML (line 2)'],
    ['begins with what YAML warns of', '%Passw0rd\n---\nprometheus.url: x\n', 'must be an http or https URL'],
    ['has a tag that YAML warns of', 'prometheus.url: !Passw0rd x\n', 'must be an http or https URL'],
  ])('a settings file that %s is told without its text', async (_name, text, message) => {
    const file = at('damaged.yaml');
    writeFileSync(file, text);
    const { status, output } = await runProcess(['serve', `--config.file=${file}`]);
    expect(status).toBe(2);
    expect(output).toContain(message);
    expect(output).not.toContain('Passw0rd');
  });
});
