import { comparatorNames } from '../../explain/comparator-names.ts';
import { formatBytes, formatMebibyteDifference, formatMebibytes } from '../../foundation/byte-text.ts';
import type { Amount } from '../../kubelet/amount.ts';
import type { ComparatorGroup } from '../../kubelet/candidate.ts';
import { SIGNALS, type StarvedResource } from '../../kubelet/signals.ts';
import type { RankedLadder, RankRow } from './pressure-ladder.ts';
import type { Colors } from './terminal.ts';
import { type Column, textTable } from './text-table.ts';

const headings: Readonly<Record<ComparatorGroup, string>> = {
  no_stats: 'No stats: goes first',
  exceeds_request: 'Over its request',
  within_request: 'Within its request',
  protected: 'Never evicted: static, mirror or critical',
};
const groupOrder = Object.keys(headings) as ComparatorGroup[];

/** What is measured, as the columns show it. */
const amountColumns: Readonly<Record<StarvedResource, readonly Column<RankRow>[]>> = {
  memory: byteColumns(),
  // Distances are of memory alone.
  'ephemeral-storage': byteColumns().slice(0, 3),
  inodes: [
    { title: 'INODES', align: 'right', text: ({ usageInodes }) => plain(usageInodes) },
    { title: 'REQUEST', align: 'right', text: ({ requestBytes }) => bytes(requestBytes) },
  ],
  pids: [{ title: 'PROCESSES', align: 'right', text: ({ processes }) => plain(processes) }],
};

/** The ladder of one node for people. */
export function rankTable(ladder: RankedLadder, columns: number | undefined, colors: Colors): string {
  const resource = SIGNALS[ladder.signal ?? 'memory.available'].resource;
  const lines = [colors.bold(titleOf(ladder))];
  if (ladder.pods.length === 0) return [...lines, '  no pods', ''].join('\n');
  if (ladder.pods.every(({ group }) => group === null)) {
    return [
      ...lines,
      `  not ranked: usage or requests of its ${ladder.pods.length} pods are not known`,
      '',
    ].join('\n');
  }
  const sections = (resource === 'pids' ? [undefined, 'protected' as const] : groupOrder).map((group) => ({
    heading: group === undefined ? undefined : colors.cyan(headings[group]),
    rows: ladder.pods.filter((pod) =>
      group === undefined ? pod.group !== 'protected' : pod.group === group,
    ),
  }));
  const [head = '', ...body] = textTable(columnsFor(resource), sections, columns);
  return [...lines, colors.dim(head), ...body, ''].join('\n');
}

function columnsFor(resource: StarvedResource): Column<RankRow>[] {
  return [
    {
      title: '#',
      align: 'right',
      text: ({ rank, tied }) => (rank === null ? '-' : `${rank}${tied ? '=' : ''}`),
    },
    { title: 'POD', align: 'left', minWidth: 22, text: ({ namespace, pod }) => `${namespace}/${pod}` },
    { title: 'PRIORITY', align: 'right', text: ({ priority }) => String(priority) },
    { title: 'QOS', align: 'left', dropOrder: 2, text: ({ qosClass }) => qosClass ?? '' },
    ...amountColumns[resource],
    {
      title: 'AHEAD BY',
      align: 'left',
      dropOrder: 1,
      text: ({ decidedBy }) => (decidedBy === null ? '' : comparatorNames[decidedBy]),
    },
  ];
}

function byteColumns(): Column<RankRow>[] {
  return [
    { title: 'USED', align: 'right', text: ({ usageBytes }) => bytes(usageBytes) },
    { title: 'REQUEST', align: 'right', text: ({ requestBytes }) => bytes(requestBytes) },
    { title: 'OVER', align: 'right', text: ({ overRequestBytes }) => difference(overRequestBytes) },
    {
      title: 'DISTANCE',
      align: 'right',
      text: ({ distanceBytes, group }) => (group === 'protected' ? '-' : bytes(distanceBytes)),
    },
  ];
}

function titleOf({
  cluster,
  node,
  complete,
  signal,
  imageFilesystem,
  availableBytes,
  thresholdBytes,
}: RankedLadder) {
  const facts = [
    signal,
    imageFilesystem === undefined ? undefined : `image filesystem ${imageFilesystem}`,
    availableBytes === null ? undefined : `${formatBytes(availableBytes)} available`,
    thresholdBytes === null ? undefined : `hard threshold ${formatBytes(thresholdBytes)}`,
    availableBytes === null || thresholdBytes === null
      ? undefined
      : headroom(availableBytes - thresholdBytes),
    complete ? undefined : 'incomplete',
  ].filter((fact) => fact !== undefined);
  const name = cluster === undefined ? node : `${cluster}/${node}`;
  return `${name}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`;
}

function headroom(headroomBytes: number): string {
  return headroomBytes < 0 ? 'threshold met' : `headroom ${formatBytes(headroomBytes)}`;
}

function bytes(amount: Amount | null): string {
  return amount === null ? '?' : formatMebibytes(Number(amount));
}

function difference(amount: Amount | null): string {
  return amount === null ? '?' : formatMebibyteDifference(Number(amount));
}

function plain(amount: Amount | null | undefined): string {
  return amount === null || amount === undefined ? '?' : String(amount);
}
