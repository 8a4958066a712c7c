import { stringify } from 'csv-stringify/sync';
import { abstentions } from '../../review/recommendation.ts';
import type { Snapshot, WorkloadSummary } from '../../snapshot/snapshot.ts';
import { clusterField } from './ladder.ts';

/** One workload of the capacity review: a row of the CSV, an object of the JSON. */
export interface WorkloadRow {
  readonly cluster?: string;
  readonly namespace: string;
  readonly workloadKind: string;
  readonly workload: string;
  readonly replicas: number;
  readonly requestBytes: number | null;
  readonly peakBytes: number | null;
  readonly recommendedRequestBytes: number | null;
  /** Percentiles of the hourly peaks. */
  readonly p99Bytes: number | null;
  readonly p95Bytes: number | null;
  readonly timeOverRequestRatio: number | null;
  readonly observedHours: number;
  readonly oomKills: number | null;
  /** Why nothing is recommended. */
  readonly noRecommendation: string | null;
}

const columns = [
  'namespace',
  'workloadKind',
  'workload',
  'replicas',
  'requestBytes',
  'peakBytes',
  'recommendedRequestBytes',
  'p99Bytes',
  'p95Bytes',
  'timeOverRequestRatio',
  'observedHours',
  'oomKills',
  'noRecommendation',
] as const satisfies readonly (keyof WorkloadRow)[];

export function listWorkloads(
  snapshot: Snapshot,
  wanted: {
    readonly cluster?: string | undefined;
    readonly namespace?: string | undefined;
    /** Whatever its case, as kubectl takes it. */
    readonly kind?: string | undefined;
  },
): readonly WorkloadRow[] {
  return snapshot.workloads
    .filter(({ workload }) => wanted.cluster === undefined || workload.cluster === wanted.cluster)
    .filter(({ workload }) => wanted.namespace === undefined || workload.namespace === wanted.namespace)
    .filter(
      ({ workload }) =>
        wanted.kind === undefined || workload.kind.toLowerCase() === wanted.kind.toLowerCase(),
    )
    .map(rowOf);
}

/** With a header line; absent numbers are empty, and `cluster` is a column only where one is configured. */
export function workloadCsv(rows: readonly WorkloadRow[], hasClusterLabel: boolean): string {
  return stringify([...rows], {
    header: true,
    columns: hasClusterLabel ? ['cluster', ...columns] : [...columns],
    // A name that starts with = or @ would be run as a formula by a spreadsheet.
    escape_formulas: true,
  });
}

function rowOf(summary: WorkloadSummary): WorkloadRow {
  const { workload } = summary;
  return {
    ...clusterField(workload.cluster),
    namespace: workload.namespace,
    workloadKind: workload.kind,
    workload: workload.name,
    replicas: summary.replicas,
    requestBytes: summary.requestBytes ?? null,
    peakBytes: summary.peakBytes ?? null,
    recommendedRequestBytes: summary.recommendedRequestBytes ?? null,
    p99Bytes: summary.hourly?.p99Bytes ?? null,
    p95Bytes: summary.hourly?.p95Bytes ?? null,
    timeOverRequestRatio: summary.hourly?.timeOverRequestRatio ?? null,
    observedHours: summary.hourly?.observedHours ?? 0,
    oomKills: summary.oomKills ?? null,
    noRecommendation: summary.abstention === undefined ? null : abstentions[summary.abstention],
  };
}
