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

/** One line per workload, with a header line; findings by id in the last column. Absent numbers are empty. */
export function reviewCsv({ workloads }: Review, hasClusterLabel: boolean): string {
  const rows = workloads.map((one) => ({
    ...reviewRow(one),
    findings: one.findings.map(({ id }) => id).join(' '),
  }));
  return stringify(rows, {
    header: true,
    columns: [...(hasClusterLabel ? ['cluster'] : []), ...columns, 'findings'],
    // A name that starts with = or @ would be run as a formula by a spreadsheet.
    cast: { string: (value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value) },
  });
}
