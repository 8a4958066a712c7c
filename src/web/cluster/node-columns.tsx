import type { NodeRow } from '../../outputs/api/node-list.ts';
import { Bytes, Unknown } from '../parts/amount.tsx';
import { GroupCounts, groupOrder, groupWords } from '../parts/group.tsx';
import { type BarPart, MemoryBar } from '../parts/memory-bar.tsx';
import type { Column } from '../parts/table.tsx';
import { nodeAddress, podAddress } from '../shell/address.ts';

export const nodeColumns: readonly Column<NodeRow>[] = [
  {
    id: 'node',
    label: 'Node',
    sortValue: (row) => `${row.cluster ?? ''} ${row.node}`,
    cell: (row) => (
      <>
        <a class="strong" href={nodeAddress(row)}>
          {row.node}
        </a>
        {row.cluster !== undefined && <span class="minor">{row.cluster}</span>}
        {!row.complete && <span class="chip tone-warning">data missing</span>}
      </>
    ),
  },
  {
    id: 'memory',
    label: 'Memory',
    sortValue: (row) => row.capacityBytes,
    isDescendingFirst: true,
    cell: (row) =>
      row.capacityBytes === null || row.availableBytes === null ? (
        <Unknown text="its memory is not known" />
      ) : (
        <MemoryBar
          parts={partsOf(row)}
          capacityBytes={row.capacityBytes}
          thresholdBytes={row.thresholdBytes}
        />
      ),
  },
  {
    id: 'headroom',
    label: 'Headroom',
    isNumber: true,
    sortValue: (row) => row.headroomBytes,
    cell: (row) => (
      <span class={`strong${(row.headroomBytes ?? 1) <= 0 ? ' alarming' : ''}`}>
        <Bytes value={row.headroomBytes} />
      </span>
    ),
  },
  {
    id: 'capacity',
    label: 'Capacity',
    isNumber: true,
    sortValue: (row) => row.capacityBytes,
    isDescendingFirst: true,
    cell: (row) => <Bytes value={row.capacityBytes} />,
  },
  {
    id: 'groups',
    label: 'Pods',
    sortValue: (row) => row.pods,
    isDescendingFirst: true,
    cell: (row) =>
      Object.keys(row.groups).length === 0 ? <span>{row.pods}</span> : <GroupCounts counts={row.groups} />,
  },
  {
    id: 'inversions',
    label: 'Against class',
    isNumber: true,
    sortValue: (row) => row.qosOrderInversions,
    isDescendingFirst: true,
    cell: (row) =>
      row.qosOrderInversions === null ? (
        <Unknown />
      ) : (
        <span
          title="pods that go before a pod of a lower QoS class"
          class={row.qosOrderInversions === 0 ? 'minor' : ''}
        >
          {row.qosOrderInversions}
        </span>
      ),
  },
  {
    id: 'first',
    label: 'First to go',
    sortValue: (row) => (row.firstToGo === null ? null : `${row.firstToGo.namespace}/${row.firstToGo.pod}`),
    cell: (row) =>
      row.firstToGo === null ? (
        <Unknown text="nobody, or not known" />
      ) : (
        <a class="clip" href={podAddress({ ...row.firstToGo, cluster: row.cluster })}>
          <span class="minor">{row.firstToGo.namespace}/</span>
          {row.firstToGo.pod}
        </a>
      ),
  },
];

/** System first, then the pods, those that go first next to the free memory. */
function partsOf(row: NodeRow): readonly BarPart[] {
  const usedBytes = (row.capacityBytes ?? 0) - (row.availableBytes ?? 0);
  const podBytes = Object.values(row.groupUsageBytes).reduce((sum, bytes) => sum + bytes, 0);
  return [
    {
      key: 'system',
      tone: 'system',
      bytes: Math.max(0, usedBytes - podBytes),
      label: row.complete ? 'outside pods' : 'in use',
    },
    ...groupOrder.toReversed().map(
      (group): BarPart => ({
        key: group,
        tone: group,
        bytes: row.groupUsageBytes[group] ?? 0,
        label: `pods ${groupWords[group].label}`,
      }),
    ),
  ];
}
