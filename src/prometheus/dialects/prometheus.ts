import type { Dialect } from './dialect.ts';
import { ENGINE_FAILURES } from './failure-pattern.ts';

/** Prometheus 2 and 3. */
export const prometheus: Dialect = {
  parameters: { stats: 'all' },
  tenantHeader: undefined,
  maxQueryBytes: undefined,
  failurePatterns: ENGINE_FAILURES,
  // `storage/fanout.go` turns the error of a secondary storage into a warning, and `storage/remote/read.go` marks
  // it: what that storage holds is then missing. Other warnings (`PromQL warning: …`) are remarks on the query.
  missingPart({ warnings }) {
    return warnings.find((warning) => warning.includes('remote_read:'));
  },
};
