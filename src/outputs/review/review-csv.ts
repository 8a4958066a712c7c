import { stringify } from 'csv-stringify/sync';
import type { Review } from '../../review/review.ts';
import { type ReviewRow, reviewRow } from './review-rows.ts';

const columns = [
  'namespace',
  'workloadKind',
  'workload',
  'replicas',
  'requestBytes',
  'peakBytes',
  'p99Bytes',
  'p95Bytes',
  'timeOverRequestRatio',
  'oomKills',
  'recommendedRequestBytes',
  'margin',
  'floor',
  'confidence',
  'observedHours',
  'noRecommendation',
  'changeBytes',
  'podsLeavingFirstGroup',
  'qosBefore',
  'qosAfter',
] as const satisfies readonly (keyof ReviewRow)[];

/**
 * One line per workload, with a header line; findings by id in the last column. Absent numbers are empty. CSV has no
 * comments, so the source, on which it depends what is absent, heads every line.
 */
export function reviewCsv({ source, workloads }: Review, hasClusterLabel: boolean): string {
  const rows = workloads.map((one) => ({
    source,
    ...reviewRow(one),
    findings: one.findings.map(({ id }) => id).join(' '),
  }));
  return stringify(rows, {
    header: true,
    columns: ['source', ...(hasClusterLabel ? ['cluster'] : []), ...columns, 'findings'],
    // A name that starts with = or @ would be run as a formula by a spreadsheet.
    cast: { string: (value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value) },
  });
}
