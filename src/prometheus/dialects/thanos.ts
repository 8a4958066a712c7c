import type { Dialect } from './dialect.ts';
import { ENGINE_FAILURES } from './failure-pattern.ts';

/** Remarks on the query itself; every other warning of Thanos is about a store that did not answer. */
const ENGINE_REMARK = /^PromQL (warning|info): /;

/** Thanos Query and Query Frontend. */
export const thanos: Dialect = {
  parameters: {
    stats: 'all',
    // Replicas of one Prometheus would otherwise count twice.
    dedup: 'true',
    partial_response: 'false',
    // Downsampled data keep one maximum in five minutes or an hour; the peaks are asked from the raw samples.
    max_source_resolution: '0s',
  },
  tenantHeader: 'THANOS-TENANT',
  maxQueryBytes: undefined,
  failurePatterns: [
    ...ENGINE_FAILURES,
    // `pkg/store/bucket.go` and `pkg/store/limiter.go`.
    {
      pattern: /exceeded (series|chunks|samples|bytes) limit|limit \d+ violated|code = ResourceExhausted/,
      kind: 'too_large',
    },
    // A store that is away, or all of them, now that no partial response is allowed (`pkg/store/proxy.go`).
    { pattern: /code = Unavailable|No StoreAPIs/, kind: 'unavailable' },
  ],
  // Some components answer in part whatever was asked, with 200; an empty fan-out also says so in a warning only
  // ("No StoreAPIs matched for this query", `pkg/store/proxy.go`).
  missingPart({ warnings }) {
    return warnings.find((warning) => !ENGINE_REMARK.test(warning));
  },
};
