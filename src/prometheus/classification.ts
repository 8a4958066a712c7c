import type { Dialect } from './dialects/dialect.ts';
import { type Failure, type FailureKind, FailureSignal } from './failures.ts';
import { asObject, type Envelope, type HttpAnswer, parseEnvelope } from './response.ts';

const KIND_OF_STATUS: ReadonlyMap<number, FailureKind> = new Map([
  [400, 'bad_query'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'not_found'],
  [405, 'not_found'],
  [407, 'unauthorized'],
  [408, 'timeout'],
  [413, 'too_large'],
  [414, 'too_large'],
  [422, 'bad_query'],
  [429, 'rate_limited'],
  // Prometheus 3 when it gave the query up by itself, for example while it shuts down.
  [499, 'unavailable'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
]);

/** `errorType` of the HTTP API where it says more than the status (`web/api/v1/api.go`: a timeout is a 503). */
const KIND_OF_ERROR_TYPE: ReadonlyMap<string, FailureKind> = new Map([
  ['timeout', 'timeout'],
  ['canceled', 'unavailable'],
  ['unavailable', 'unavailable'],
  ['bad_data', 'bad_query'],
  ['execution', 'bad_query'],
]);

/** Go's `net/http/server.go`, in plain text with status 400. */
const HTTP_ON_HTTPS = /HTTP request to an HTTPS server/i;

/** A plain text error, as proxies write it; a page is no explanation. */
function explain(body: string): string | undefined {
  const text = body.trim();
  return text === '' || text.startsWith('<') ? undefined : text;
}

function parseErrorBody(body: string): Pick<Envelope, 'errorType' | 'error'> {
  try {
    const json = asObject(JSON.parse(body));
    if (json !== undefined) {
      return {
        errorType: typeof json.errorType === 'string' ? json.errorType : undefined,
        // `message` is what gateways write.
        error: [json.error, json.message].find((text) => typeof text === 'string') as string | undefined,
      };
    }
  } catch {
    // Not JSON: the text itself is the explanation.
  }
  return { errorType: undefined, error: explain(body) };
}

function describeLocation(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location)) return 'elsewhere';
  const { origin, pathname } = new URL(location);
  return `${origin}${pathname}`;
}

function classifyError(
  answer: HttpAnswer,
  error: Pick<Envelope, 'errorType' | 'error'>,
  dialect: Dialect,
): Failure {
  const text = error.error ?? '';
  const kind: FailureKind =
    dialect.failurePatterns.find(({ pattern }) => pattern.test(text))?.kind ??
    (HTTP_ON_HTTPS.test(text) ? 'tls' : undefined) ??
    KIND_OF_ERROR_TYPE.get(error.errorType ?? '') ??
    KIND_OF_STATUS.get(answer.status) ??
    'backend_failed';
  const said = text === '' ? 'without an explanation' : `"${text}"`;
  return {
    kind,
    detail: `the backend answered ${answer.status} ${said}`,
    status: answer.status,
    retryAfterMs: answer.retryAfterMs,
  };
}

/** The envelope of a complete, successful answer; signals the failure of any other. */
export function acceptAnswer(answer: HttpAnswer, dialect: Dialect): Envelope {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const detail = `the backend answered ${status} and redirects to ${describeLocation(answer.location)}`;
    throw new FailureSignal({ kind: 'redirected', detail, status });
  }
  if (status !== 200) throw new FailureSignal(classifyError(answer, parseErrorBody(answer.body), dialect));
  const envelope = parseEnvelope(answer.body);
  if (envelope.status === 'error') throw new FailureSignal(classifyError(answer, envelope, dialect));
  const missing = dialect.missingPart(envelope);
  if (missing !== undefined) {
    throw new FailureSignal({ kind: 'partial', detail: `the answer is partial: ${missing}`, status });
  }
  return envelope;
}

const KIND_OF_CODE: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /^(EPROTO|ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/,
    'tls',
  ],
  // zlib: the body is not what its Content-Encoding says; HPE: the answer is not HTTP.
  [/^(Z_|HPE_)/, 'malformed'],
  // System errors, such as ECONNREFUSED and ENOTFOUND, and a decompressed body whose connection broke.
  [/^(E[A-Z_]+$|ERR_STREAM_PREMATURE_CLOSE|ERR_SOCKET)/, 'unreachable'],
];

/** Sorts an error of the network, TLS or decompression by its code; the detail is Node's own text with the code. */
export function classifyNetworkError(error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = KIND_OF_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'backend_failed';
  const detail = code === '' || text.includes(code) ? text : `${text} (${code})`.trim();
  return { kind, detail };
}
