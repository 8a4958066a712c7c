import type { MemoryProtection } from '../../explain/memory-protection.ts';
import type { ContainerFacts, ResourceExplanation } from '../../explain/resources.ts';
import { formatBytes } from '../../foundation/byte-text.ts';
import type { CgroupMemory } from '../../kubelet/memory-qos.ts';
import type { Colors } from './terminal.ts';
import { type Column, textTable } from './text-table.ts';
import { wrapText } from './wrapped-text.ts';

interface Layout {
  readonly columns: number | undefined;
  readonly colors: Colors;
  readonly heading: (text: string) => string[];
  readonly list: (texts: readonly string[]) => string[];
}

const containerColumns: readonly Column<ContainerFacts>[] = [
  { title: 'CONTAINER', align: 'left', text: ({ name }) => name, minWidth: 16 },
  { title: 'KIND', align: 'left', text: ({ kind }) => kind },
  { title: 'CPU', align: 'left', text: (container) => pair(container, 'cpu') },
  { title: 'MEMORY', align: 'left', text: (container) => pair(container, 'memory') },
  { title: 'OOM_SCORE_ADJ', align: 'right', text: ({ oomScoreAdj }) => String(oomScoreAdj ?? '?') },
  {
    title: 'LAST END',
    align: 'left',
    text: ({ lastTerminatedReason }) => lastTerminatedReason ?? '',
    dropOrder: 1,
  },
];

/** Containers, QoS class, the kernel's order and Memory QoS. */
export function resourcesText(resources: ResourceExplanation, layout: Layout): readonly string[] {
  const { heading, list, colors, columns } = layout;
  const { containers, qos, oomSentence, memoryQos, cautions } = resources;
  const [head = '', ...body] = textTable(
    containerColumns,
    [{ heading: undefined, rows: containers }],
    columns,
  );
  return [
    ...heading('Its containers (request / limit)'),
    colors.dim(`  ${head}`),
    ...body.map((line) => `  ${line}`),
    ...heading(`QoS class ${qos.qosClass}`),
    ...list([
      qos.summary,
      ...(qos.difference === undefined ? [] : [qos.difference]),
      ...qos.findings.map(({ reason, remedy }) => `${reason}. To be Guaranteed: ${remedy}.`),
    ]),
    ...heading("The kernel's out-of-memory (OOM) killer"),
    ...list([oomSentence]),
    ...heading('Memory QoS'),
    ...wrapText(memoryQosSentence(memoryQos), { columns, indent: 2 }),
    ...list(memoryQosLines(memoryQos)),
    ...(cautions.length === 0 ? [] : [...heading('What is not known of its containers'), ...list(cautions)]),
  ];
}

function pair({ requests, limits }: ContainerFacts, resource: string): string {
  return `${requests[resource] ?? '-'} / ${limits[resource] ?? '-'}`;
}

function memoryQosSentence({ settings: { throttlingFactor, reservationPolicy } }: MemoryProtection): string {
  return `A feature of the kubelet that is off by default. With memoryThrottlingFactor ${throttlingFactor ?? 'unset'} and memoryReservationPolicy ${reservationPolicy} it would tell the kernel:`;
}

function memoryQosLines({ pod, containers, ancestors }: MemoryProtection): readonly string[] {
  const rows: readonly (readonly [string, CgroupMemory])[] = [
    ['the pod', pod],
    ...containers.map((container) => [container.container, container] as const),
    ...(ancestors === undefined
      ? []
      : ([
          ['all pods (kubepods)', ancestors.kubepods],
          ['all Burstable pods', ancestors.burstable],
        ] as const)),
  ];
  return rows.map(([name, memory]) => `${name}: ${written(memory)}`);
}

function written({ minBytes, lowBytes, highBytes }: CgroupMemory): string {
  const parts = [
    minBytes === undefined ? '' : `never take back ${formatBytes(minBytes)} (memory.min)`,
    lowBytes === undefined ? '' : `take back ${formatBytes(lowBytes)} last (memory.low)`,
    highBytes === undefined ? '' : `slow it down above ${formatBytes(highBytes)} (memory.high)`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
