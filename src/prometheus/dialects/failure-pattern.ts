import type { FailureKind } from '../failures.ts';

/** An error text of a backend and what it means. */
export interface FailurePattern {
  readonly pattern: RegExp;
  readonly kind: FailureKind;
}

/** Texts of the PromQL engine and its HTTP API, which Thanos and Mimir embed. */
export const ENGINE_FAILURES: readonly FailurePattern[] = [
  // `promql/engine.go`, ErrTooManySamples: 422 `execution`.
  { pattern: /too many samples/, kind: 'too_large' },
  // `web/api/v1/api.go`: 400 `bad_data`, though only the step is too small.
  { pattern: /exceeded maximum resolution of/, kind: 'too_large' },
  // `promql/engine.go`, ErrQueryTimeout; and Go's own text where a proxy passes it on.
  { pattern: /query timed out|context deadline exceeded/, kind: 'timeout' },
];
