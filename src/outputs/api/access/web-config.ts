import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { z } from 'zod';
import { ConfigError } from '../../../config/load.ts';
import { parseSecretYaml } from '../../../config/secret-yaml.ts';
import { type ClientAuthType, namedFiles, type WebConfigFile, webConfigFile } from './web-config-schema.ts';

export interface ServerTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Whose client certificates are accepted. */
  readonly ca: Buffer | undefined;
  readonly clientAuth: ClientAuthType;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  readonly maxVersion: 'TLSv1.2' | 'TLSv1.3';
}

/** Who may ask, and how what is said is kept secret. */
export interface WebConfig {
  /** undefined = plain HTTP. */
  readonly tls: ServerTls | undefined;
  /** bcrypt hash by user name. */
  readonly users: ReadonlyMap<string, string>;
  readonly bearerTokens: readonly string[];
  /** Changes whenever anything in the file, or in a file it names, does. */
  readonly fingerprint: string;
}

/** Everything is open, over plain HTTP. */
export const openAccess: WebConfig = { tls: undefined, users: new Map(), bearerTokens: [], fingerprint: '' };

const tlsVersions = { TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' } as const;

const tokenFile = 'a bearer token file';

/** Shorter ones can be found by trying. */
const SHORTEST_TOKEN = 16;

/**
 * Reads the file and every file it names, relative to its own folder.
 * @throws ConfigError with every problem, none of which repeats a secret.
 */
export async function readWebConfig(path: string): Promise<WebConfig> {
  const reader = createFileReader(dirname(resolve(path)));
  const text = await reader.read(resolve(path), 'it');
  const file = text === undefined ? undefined : await parseFile(text.toString('utf8'), reader);
  const tls = file?.tls_server_config && (await readTls(file.tls_server_config, reader));
  const bearerTokens = await readTokens(file?.bearer_token_files ?? [], reader);
  if (reader.problems.length > 0 || file === undefined) {
    throw new ConfigError(reader.problems.map((problem) => `${path}: ${problem}`));
  }
  return Object.freeze({
    tls,
    users: new Map(Object.entries(file.basic_auth_users ?? {})),
    bearerTokens,
    fingerprint: reader.fingerprint(),
  });
}

interface FileReader {
  readonly problems: string[];
  /** undefined where it cannot be read, which is then a problem. */
  read(path: string, what: string): Promise<Buffer | undefined>;
  /** Of everything read so far. */
  fingerprint(): string;
}

function createFileReader(folder: string): FileReader {
  const problems: string[] = [];
  const hash = createHash('sha256');
  return {
    problems,
    async read(path, what) {
      try {
        const content = await readFile(resolve(folder, path));
        hash.update(`${path} ${content.length} `).update(content);
        return content;
      } catch (error) {
        const { code = 'unknown error' } = error as NodeJS.ErrnoException;
        problems.push(`${what} cannot be read (${path}: ${code})`);
        return undefined;
      }
    },
    fingerprint: () => hash.copy().digest('hex'),
  };
}

async function parseFile(text: string, reader: FileReader): Promise<WebConfigFile | undefined> {
  const { content, problem } = parseSecretYaml(text);
  if (problem !== undefined) {
    reader.problems.push(`it ${problem}`);
    return undefined;
  }
  const parsed = webConfigFile.safeParse(content);
  if (parsed.success) return parsed.data;
  reader.problems.push(...parsed.error.issues.flatMap(describeIssue));
  const { tls_server_config: tls = {}, bearer_token_files: tokens = [] } = namedFiles.parse(content);
  for (const [what, path] of [
    ...Object.entries(tls),
    ...tokens.map((token) => [tokenFile, token] as const),
  ]) {
    if (path !== undefined) await reader.read(path, what);
  }
  return undefined;
}

/** One issue may name several keys; none repeats a value. */
function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...path, key].join('.')} is not known or not supported`);
  }
  // A key that is wrong says so inside the issue of its record.
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [path.length === 0 ? message : `${path.join('.')}: ${message}`];
}

async function readTls(
  config: NonNullable<WebConfigFile['tls_server_config']>,
  reader: FileReader,
): Promise<ServerTls | undefined> {
  const cert = await reader.read(config.cert_file, 'cert_file');
  const key = await reader.read(config.key_file, 'key_file');
  const { client_ca_file: caFile } = config;
  const ca = caFile === undefined ? undefined : await reader.read(caFile, 'client_ca_file');
  if (ca !== undefined && !isCertificate(ca))
    reader.problems.push('client_ca_file holds no certificate (PEM)');
  if (cert === undefined || key === undefined) return undefined;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    // Codes of OpenSSL such as ERR_OSSL_X509_KEY_VALUES_MISMATCH; its messages may quote the file.
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    reader.problems.push(`cert_file and key_file are not a certificate with its key, both PEM (${code})`);
  }
  return {
    cert,
    key,
    ca,
    clientAuth: config.client_auth_type,
    minVersion: tlsVersions[config.min_version],
    maxVersion: tlsVersions[config.max_version],
  };
}

function isCertificate(pem: Buffer): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

async function readTokens(files: readonly string[], reader: FileReader): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (const file of files) {
    const content = await reader.read(file, tokenFile);
    if (content === undefined) continue;
    const token = content.toString('utf8').trim();
    if (token.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(token)) tokens.push(token);
    else {
      reader.problems.push(
        `${file} must hold one token of at least ${SHORTEST_TOKEN} printable characters without spaces`,
      );
    }
  }
  return tokens;
}
