import { EvictrankError } from '../foundation/errors.ts';
import { DIALECTS } from './dialects/by-name.ts';
import type { DialectName } from './dialects/dialect.ts';

/** TLS of an https URL. Files are read again for every query, so that rotated certificates are picked up. */
export interface TlsSettings {
  /** Replaces the system's CAs, as `ca_file` of Prometheus does. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The name that the certificate must carry, where it is not the host of the URL. */
  readonly serverName?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
}

/** How to reach one backend. */
export interface ConnectionSettings {
  /** http or https, with the path prefix; a user and a password in it are sent as basic auth and never shown. */
  readonly url: string;
  readonly dialect: DialectName;
  /** Bounds one query with all its retries and waits; waiting for a free place is not counted. */
  readonly timeoutMs: number;
  /** Queries under way at once. */
  readonly concurrency: number;
  /** Bounds one answer after decompression. */
  readonly maxBodyBytes: number;
  /** `attempts` counts the first one too: 1 never retries. The wait doubles from `baseDelayMs`. */
  readonly retries: { readonly attempts: number; readonly baseDelayMs: number };
  /** Read again for every query, because Kubernetes rotates such tokens. */
  readonly bearerTokenFile?: string | undefined;
  readonly basicAuth?: { readonly username: string; readonly passwordFile: string } | undefined;
  /** Sent as they are; treated as secrets, since they often carry keys. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tenant?: string | undefined;
  readonly tls?: TlsSettings | undefined;
  /**
   * Whether HTTP_PROXY, HTTPS_PROXY and NO_PROXY apply. Off by default as in Prometheus' own `http_config`
   * (`proxy_from_environment`): a proxy meant for the internet must not get the credentials of an inner service.
   */
  readonly proxyFromEnvironment?: boolean | undefined;
}

/** The settings contradict each other or cannot be sent. Lists every problem, and no value that may be secret. */
export class ConnectionSettingsError extends EvictrankError {
  override readonly name = 'ConnectionSettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the Prometheus connection cannot be set up: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What HTTP can carry (RFC 9110, section 5.5): other characters would be dropped on the way without a word. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Set by the client itself; another value would break the query. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);

export function isHeaderValue(value: string): boolean {
  return HEADER_VALUE.test(value);
}

/** The parsed URL, or undefined unless it is an http or https URL. */
export function parseUrl(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed !== undefined && /^https?:$/.test(parsed.protocol) ? parsed : undefined;
}

/** Every reason why the settings cannot be used; empty if they can. Files are not looked at. */
export function connectionProblems(settings: ConnectionSettings): readonly string[] {
  const { basicAuth, bearerTokenFile, headers = {}, retries, tenant, tls = {} } = settings;
  const { tenantHeader } = DIALECTS[settings.dialect];
  const url = parseUrl(settings.url);
  const headerNames = Object.keys(headers).map((name) => name.toLowerCase());
  const authentications = [
    bearerTokenFile,
    basicAuth,
    headerNames.find((name) => name === 'authorization'),
    url?.username || url?.password ? 'userinfo' : undefined,
  ].filter((authentication) => authentication !== undefined);
  const badValues = Object.entries(headers).filter(([, value]) => !isHeaderValue(value));
  const rules: readonly (readonly [boolean, string])[] = [
    [url === undefined, 'the URL must start with http:// or https:// and name a host'],
    [
      !(settings.timeoutMs > 0 && settings.timeoutMs <= LONGEST_TIMER_MS),
      'the timeout must be above 0 and at most 24 days',
    ],
    [basicAuth?.username.includes(':') === true, 'a user name of basic auth cannot hold a colon (RFC 7617)'],
    [
      !(Number.isInteger(settings.concurrency) && settings.concurrency > 0),
      'the concurrency must be at least 1',
    ],
    [!(settings.maxBodyBytes > 0), 'the largest body must be above 0'],
    [!(Number.isInteger(retries.attempts) && retries.attempts > 0), 'the attempts must be at least 1'],
    [!(retries.baseDelayMs >= 0), 'the delay before a retry must not be negative'],
    [
      authentications.length > 1,
      'only one of bearer token file, basic auth, an Authorization header and a user in the URL can be used',
    ],
    [
      headerNames.some((name) => !HEADER_NAME.test(name)),
      'a header name has a character that HTTP does not allow',
    ],
    [
      badValues.length > 0,
      `the value of header ${badValues.map(([name]) => name).join(', ')} has a character that HTTP does not allow`,
    ],
    [
      headerNames.some((name) => OWN_HEADERS.has(name)),
      `the headers ${[...OWN_HEADERS].join(', ')} are set by the client`,
    ],
    [
      tenant !== undefined && tenantHeader === undefined,
      `${settings.dialect} has no tenant header: put the tenant into the URL or into an extra header`,
    ],
    [
      tenant !== undefined && headerNames.includes(tenantHeader?.toLowerCase() ?? ''),
      `the tenant is set twice, by itself and as header ${tenantHeader}`,
    ],
    [tenant !== undefined && !isHeaderValue(tenant), 'the tenant has a character that HTTP does not allow'],
    [
      (tls.certFile === undefined) !== (tls.keyFile === undefined),
      'a client certificate needs both its file and its key',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, problem]) => problem);
}
