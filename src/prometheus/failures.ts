import { EvictrankError } from '../foundation/errors.ts';

interface FailureTraits {
  /** Whether the very same query may succeed a moment later. */
  readonly retryable: boolean;
  readonly remedy: string | undefined;
}

/**
 * The closed list of ways in which a query fails. Callers decide by kind (or by the predicates below), never by
 * matching text. A slow query (`timeout`) is not retryable: asking again doubles the load that made it slow.
 */
const TRAITS = {
  unreachable: {
    retryable: true,
    remedy:
      'check the Prometheus URL, the name service and network policies, and that the backend is running',
  },
  timeout: {
    retryable: false,
    remedy: 'raise the query timeout (and the limit of the backend), or make the query smaller',
  },
  canceled: { retryable: false, remedy: undefined },
  tls: {
    retryable: false,
    remedy: 'check http or https in the URL, the CA file, the server name and the client certificate',
  },
  unauthorized: {
    retryable: false,
    remedy: 'check the bearer token, the password, the client certificate, the headers and the tenant',
  },
  redirected: {
    retryable: false,
    remedy: 'redirects are not followed, so that no credential reaches another host: set the final URL',
  },
  not_found: {
    retryable: false,
    remedy: 'set the URL to what stands before /api/v1, with the path prefix if the backend has one',
  },
  rate_limited: { retryable: true, remedy: 'lower the query concurrency, or raise the limit of the backend' },
  too_large: {
    retryable: false,
    remedy: 'ask for less time or fewer series at once, or raise the limit that the message names',
  },
  bad_query: { retryable: false, remedy: 'check the label names and selectors in the settings' },
  unavailable: { retryable: true, remedy: 'the backend is starting, overloaded or behind a failing proxy' },
  backend_failed: { retryable: false, remedy: 'see the log of the backend' },
  partial: {
    retryable: false,
    remedy: 'a part of the storage did not answer, and a partial answer would give wrong ranks: see its log',
  },
  malformed: {
    retryable: false,
    remedy: 'check that the URL is that of a Prometheus query API, not of a login page or another service',
  },
  unreadable_file: { retryable: false, remedy: 'check that the file exists, is not empty and may be read' },
} as const satisfies Record<string, FailureTraits>;

export type FailureKind = keyof typeof TRAITS;

/** What went wrong, before it is known which query it was. */
export interface Failure {
  readonly kind: FailureKind;
  /** One clause for a person, without the query and the URL. */
  readonly detail: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** What the backend asked for in `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** Carries a `Failure` from where it is noticed to where the query is known. Never leaves this folder. */
export class FailureSignal extends Error {
  override readonly name = 'FailureSignal';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/**
 * The only error of a query. It has no `cause` on purpose: errors of the HTTP library carry the request with its
 * Authorization header, and would print it.
 */
export class PrometheusError extends EvictrankError {
  override readonly name = 'PrometheusError';
  readonly kind: FailureKind;
  /** One clause: the message without the query and the URL. */
  readonly detail: string;
  /** The `id` of the query. */
  readonly queryId: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  /** `url` and `failure.detail` must be free of credentials (see redaction.ts). */
  constructor(failure: Failure, query: { readonly id: string; readonly url: string }) {
    const { remedy } = TRAITS[failure.kind];
    super(
      `query ${query.id} to ${query.url} failed: ${failure.detail}`,
      remedy === undefined ? {} : { remedy },
    );
    this.kind = failure.kind;
    this.detail = failure.detail;
    this.queryId = query.id;
    this.status = failure.status;
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** Whether asking again, unchanged, can help. */
export function isRetryable(error: unknown): error is PrometheusError {
  return error instanceof PrometheusError && TRAITS[error.kind].retryable;
}

/** Whether a smaller query can succeed: the caller may split it by time or by namespace and go on. */
export function isTooLarge(error: unknown): error is PrometheusError {
  return error instanceof PrometheusError && error.kind === 'too_large';
}

/** The same, or the query may have been: one that timed out would only time out again. */
export function isTooMuch(error: unknown): error is PrometheusError {
  return isTooLarge(error) || (error instanceof PrometheusError && error.kind === 'timeout');
}

/** Whether the query was given up by its caller, which is no fault of the backend. */
export function isCanceled(error: unknown): error is PrometheusError {
  return error instanceof PrometheusError && error.kind === 'canceled';
}
