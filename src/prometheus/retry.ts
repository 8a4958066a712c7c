import type { Clock } from '../foundation/clock.ts';
import { isRetryable, type PrometheusError } from './failures.ts';

/** However long the backoff has grown. */
const LONGEST_BACKOFF_MS = 10_000;

/**
 * How long to wait before the next attempt, or undefined if there must be none: a retry cannot help, the attempts
 * are used up, or the wait would outlast the time that the query has left.
 */
export function retryDelayMs(
  error: PrometheusError,
  state: { attempt: number; attempts: number; baseDelayMs: number; remainingMs: number },
): number | undefined {
  if (!isRetryable(error) || state.attempt >= state.attempts) return undefined;
  const backoffMs = Math.min(state.baseDelayMs * 2 ** (state.attempt - 1), LONGEST_BACKOFF_MS);
  const delayMs = Math.max(backoffMs, error.retryAfterMs ?? 0);
  return delayMs < state.remainingMs ? delayMs : undefined;
}

/** `Retry-After`: seconds or an HTTP date (RFC 9110, section 10.2.3). Undefined if absent or not readable. */
export function parseRetryAfter(header: string | undefined, clock: Clock): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - clock());
}
