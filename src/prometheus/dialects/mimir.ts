import type { Dialect } from './dialect.ts';
import { ENGINE_FAILURES } from './failure-pattern.ts';

/** Grafana Mimir and Cortex. The error codes are promised to stay (`pkg/util/globalerror/user.go`). */
export const mimir: Dialect = {
  parameters: { stats: 'all' },
  tenantHeader: 'X-Scope-OrgID',
  maxQueryBytes: undefined,
  failurePatterns: [
    {
      pattern:
        /err-mimir-max-(series|chunks|chunks-bytes|estimated-chunks|estimated-memory-consumption)-per-query/,
      kind: 'too_large',
    },
    {
      pattern: /err-mimir-max-(total-)?query-length|err-mimir-max-query-expression-size-bytes/,
      kind: 'too_large',
    },
    { pattern: /err-mimir-tenant-max-request-rate/, kind: 'rate_limited' },
    {
      pattern: /err-mimir-(store-consistency-check-failed|bucket-index-too-old|ingester-max-inflight-read)/,
      kind: 'unavailable',
    },
    // The same limits in Cortex (`pkg/util/limiter/query_limiter.go`, `pkg/util/validation`), which has no codes.
    {
      pattern: /the query (hit|exceeded) the max|query hit the max|the query time range exceeds the limit/,
      kind: 'too_large',
    },
    { pattern: /no org id/, kind: 'unauthorized' },
    ...ENGINE_FAILURES,
  ],
  // Mimir fails rather than answer in part; its warnings are remarks of the engine.
  missingPart() {
    return undefined;
  },
};
