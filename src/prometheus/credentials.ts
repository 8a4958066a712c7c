import { readFile } from 'node:fs/promises';
import { type ConnectionSettings, isHeaderValue } from './connection.ts';
import { DIALECTS } from './dialects/by-name.ts';
import { FailureSignal } from './failures.ts';

/** What one request is sent with, and every text in it that must never be shown. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** The whole file; signals `unreadable_file` naming the path (never the content) if it cannot be read. */
export async function readSettingFile(path: string, what: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new FailureSignal({
      kind: 'unreadable_file',
      detail: `the ${what} ${path} cannot be read (${code})`,
    });
  }
}

/** The content without the white space around it: editors and `kubectl create secret` leave a newline at the end. */
async function readSecret(path: string, what: string): Promise<string> {
  const secret = (await readSettingFile(path, what)).toString('utf8').trim();
  if (secret === '')
    throw new FailureSignal({ kind: 'unreadable_file', detail: `the ${what} ${path} is empty` });
  return secret;
}

function basicAuth(username: string, password: string): Credentials {
  const encoded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return { headers: { Authorization: `Basic ${encoded}` }, secrets: [password, encoded] };
}

function decodeUserinfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readAuthentication(settings: ConnectionSettings, url: URL): Promise<Credentials> {
  if (settings.bearerTokenFile !== undefined) {
    const token = await readSecret(settings.bearerTokenFile, 'bearer token file');
    if (!isHeaderValue(token)) {
      throw new FailureSignal({
        kind: 'unreadable_file',
        detail: `the bearer token file ${settings.bearerTokenFile} holds more than one line, or no token`,
      });
    }
    return { headers: { Authorization: `Bearer ${token}` }, secrets: [token] };
  }
  if (settings.basicAuth !== undefined) {
    const { username, passwordFile } = settings.basicAuth;
    return basicAuth(username, await readSecret(passwordFile, 'password file'));
  }
  if (url.username !== '' || url.password !== '') {
    return basicAuth(decodeUserinfo(url.username), decodeUserinfo(url.password));
  }
  return { headers: {}, secrets: [] };
}

/** Everything secret that is known without reading a file. */
export function settledSecrets(settings: ConnectionSettings, url: URL): readonly string[] {
  return [
    ...Object.values(settings.headers ?? {}),
    url.password,
    decodeUserinfo(url.password),
    // Some gateways take a key as a parameter of the URL.
    ...url.searchParams.values(),
  ];
}

/** Reads the files named in the settings, each time anew. Signals `unreadable_file`. */
export async function readCredentials(settings: ConnectionSettings, url: URL): Promise<Credentials> {
  const { headers, secrets } = await readAuthentication(settings, url);
  const { tenantHeader } = DIALECTS[settings.dialect];
  const tenant =
    tenantHeader !== undefined && settings.tenant !== undefined ? { [tenantHeader]: settings.tenant } : {};
  return {
    headers: { ...settings.headers, ...tenant, ...headers },
    secrets: [...secrets, ...settledSecrets(settings, url)],
  };
}
