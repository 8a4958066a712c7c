import type { WorkloadRow } from '../../outputs/api/workload-list.ts';
import { Bytes, Total, Unknown } from '../parts/amount.tsx';
import type { Column } from '../parts/table.tsx';
import { UsageBar } from '../parts/usage-bar.tsx';
import { formatAddress } from '../shell/address.ts';

/** What following the recommendation changes for all replicas together; negative = memory that is set free. */
export function effectBytes(row: WorkloadRow): number | null {
  if (row.recommendedRequestBytes === null || row.requestBytes === null) return null;
  return (row.recommendedRequestBytes - row.requestBytes) * row.replicas;
}

/** Why there is no number. */
function Reason({ text }: { readonly text: string }) {
  return (
    <span class="reason minor" title={text}>
      {text}
    </span>
  );
}

export const workloadColumns: readonly Column<WorkloadRow>[] = [
  {
    id: 'workload',
    label: 'Workload',
    sortValue: (row) => `${row.namespace}/${row.workload}`,
    cell: (row) => (
      <a
        class="clip"
        href={formatAddress(['pods'], {
          namespace: row.namespace,
          search: row.workload,
          cluster: row.cluster,
        })}
      >
        <span class="minor">{row.namespace}/</span>
        <span class="strong">{row.workload}</span>
      </a>
    ),
  },
  { id: 'kind', label: 'Kind', sortValue: (row) => row.workloadKind, cell: (row) => row.workloadKind },
  {
    id: 'replicas',
    label: 'Replicas',
    isNumber: true,
    sortValue: (row) => row.replicas,
    isDescendingFirst: true,
    cell: (row) => row.replicas.toLocaleString('en'),
  },
  {
    id: 'bar',
    label: 'Peak of request',
    sortValue: (row) =>
      row.peakBytes === null || row.requestBytes === null || row.requestBytes === 0
        ? null
        : row.peakBytes / row.requestBytes,
    isDescendingFirst: true,
    cell: (row) => (
      <UsageBar
        usageBytes={row.peakBytes}
        requestBytes={row.requestBytes}
        scaleBytes={Math.max(row.peakBytes ?? 0, row.requestBytes ?? 0)}
      />
    ),
  },
  {
    id: 'request',
    label: 'Request',
    isNumber: true,
    sortValue: (row) => row.requestBytes,
    isDescendingFirst: true,
    cell: (row) => <Bytes value={row.requestBytes} />,
  },
  {
    id: 'peak',
    label: 'Peak',
    isNumber: true,
    sortValue: (row) => row.peakBytes,
    isDescendingFirst: true,
    cell: (row) => <Bytes value={row.peakBytes} />,
  },
  {
    id: 'recommended',
    label: 'Recommended',
    isNumber: true,
    sortValue: (row) => row.recommendedRequestBytes,
    isDescendingFirst: true,
    cell: (row) => (
      <span class="strong">
        {row.recommendedRequestBytes === null ? (
          <Unknown text="no recommendation" />
        ) : (
          <Bytes value={row.recommendedRequestBytes} />
        )}
      </span>
    ),
  },
  {
    id: 'effect',
    label: 'Effect, all replicas',
    isNumber: true,
    sortValue: effectBytes,
    cell: (row) => {
      const bytes = effectBytes(row);
      return bytes === null ? (
        <Reason text={row.noRecommendation ?? 'its request is not known'} />
      ) : (
        <span class={bytes > 0 ? 'more' : 'less'}>
          <Total bytes={bytes} isDifference />
        </span>
      );
    },
  },
];
