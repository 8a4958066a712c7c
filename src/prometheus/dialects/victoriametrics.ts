import type { Dialect } from './dialect.ts';

/**
 * VictoriaMetrics, single node and cluster (there the tenant is a part of the URL, `/select/<tenant>/prometheus`).
 * Unlike Prometheus it keeps `__name__` in the answer of functions such as `max_over_time`.
 */
export const victoriametrics: Dialect = {
  parameters: {
    // Without it, times are rounded to the step and the newest 30 s (`-search.latencyOffset`) are left out
    // (`app/vmselect/prometheus/prometheus.go`).
    nocache: '1',
  },
  tenantHeader: undefined,
  // Default of `-search.maxQueryLen`.
  maxQueryBytes: 16 * 1024,
  // `errorType` is only the HTTP code here, so the text decides; the flags are stable names.
  failurePatterns: [
    {
      pattern:
        /-search\.max(SamplesPer|PointsPer|PointsSubqueryPer|UniqueTimeseries|Series|ResponseSeries|QueryLen|MemoryPer|\*)/,
      kind: 'too_large',
    },
    { pattern: /not enough memory for processing|exceeds the limit on the number of/, kind: 'too_large' },
    { pattern: /timeout exceeded/, kind: 'timeout' },
  ],
  missingPart({ isPartial }) {
    return isPartial ? 'some storage nodes did not answer ("isPartial": true)' : undefined;
  },
};
