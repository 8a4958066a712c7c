import { Bytes, Unknown, wholeText } from '../parts/amount.tsx';
import { GroupChip } from '../parts/group.tsx';
import type { Column } from '../parts/table.tsx';
import { UsageBar } from '../parts/usage-bar.tsx';
import { nodeAddress, podAddress } from '../shell/address.ts';
import type { PodRow } from './use-pages.ts';

export const podColumns: readonly Column<PodRow>[] = [
  {
    id: 'pod',
    label: 'Pod',
    cell: (row) => (
      <a class="clip" href={podAddress(row)}>
        <span class="minor">{row.namespace}/</span>
        <span class="strong">{row.pod}</span>
      </a>
    ),
  },
  {
    id: 'node',
    label: 'Node',
    cell: (row) => (
      <a class="clip" href={nodeAddress(row)}>
        {row.node}
      </a>
    ),
  },
  {
    id: 'rank',
    label: 'Rank',
    isNumber: true,
    cell: (row) => (row.rank === null ? <Unknown text="no rank" /> : row.rank),
  },
  { id: 'group', label: 'Group', cell: (row) => <GroupChip group={row.group} /> },
  { id: 'class', label: 'Class', cell: (row) => row.qosClass ?? <Unknown /> },
  { id: 'priority', label: 'Priority', isNumber: true, cell: (row) => wholeText(row.priority) },
  {
    id: 'usage',
    label: 'Usage of request',
    cell: (row) => (
      <>
        <UsageBar
          usageBytes={row.usageBytes}
          requestBytes={row.requestBytes}
          scaleBytes={Math.max(row.usageBytes ?? 0, row.requestBytes ?? 0)}
        />
        <span class="pair">
          <Bytes value={row.usageBytes} /> <span class="minor">of</span> <Bytes value={row.requestBytes} />
        </span>
      </>
    ),
  },
  {
    id: 'distance',
    label: 'Distance',
    isNumber: true,
    cell: (row) => (row.group === 'protected' ? 'never' : <Bytes value={row.distanceBytes} />),
  },
];
