import { groupNames } from '../../explain/comparator-names.ts';
import { formatBytes, formatMebibytes } from '../../foundation/byte-text.ts';
import type { DecidedBy } from '../../kubelet/candidate.ts';
import type { SimulatedEviction, SimulatedPod, Simulation } from '../../scenario/simulate.ts';
import { csvText } from './rank-csv.ts';
import { type Colors, printable } from './terminal.ts';
import { type Column, textTable } from './text-table.ts';
import { wrapOnTerminal } from './wrapped-text.ts';

type Step = SimulatedEviction & { readonly step: number };

const columns: readonly Column<Step>[] = [
  { title: '#', align: 'right', text: ({ step }) => String(step) },
  { title: 'EVICTED', align: 'left', minWidth: 22, text: nameOf },
  { title: 'BECAUSE', align: 'left', dropOrder: 1, text: ({ group, decidedBy }) => reason(group, decidedBy) },
  {
    title: 'BEFORE',
    align: 'right',
    text: ({ availableBeforeBytes }) => formatMebibytes(availableBeforeBytes),
  },
  { title: 'AFTER', align: 'right', text: ({ availableAfterBytes }) => formatMebibytes(availableAfterBytes) },
];

/** The evictions one after another, as a person follows them. */
export function simulationTable(
  { simulation, node }: { readonly simulation: Simulation; readonly node: string },
  width: number | undefined,
  colors: Colors,
): string {
  const { evictions, survivors, availableBytes, thresholdBytes, underPressure, notes } = simulation;
  const startBytes = evictions[0]?.availableBeforeBytes ?? availableBytes;
  const threshold = formatBytes(thresholdBytes);
  const lines = [
    colors.bold(
      `${printable(node)}: ${formatBytes(startBytes)} available, hard threshold ${threshold}${startBytes < thresholdBytes ? ' met' : ''}`,
    ),
  ];
  if (evictions.length === 0) {
    lines.push(underPressure ? 'There is nothing to evict.' : 'Nothing is evicted.');
  } else {
    const steps = evictions.map((eviction, i) => ({ ...eviction, step: i + 1 }));
    const [head = '', ...body] = textTable(columns, [{ heading: undefined, rows: steps }], width);
    lines.push(colors.dim(head), ...body);
    lines.push(
      underPressure
        ? colors.red(`Then ${formatBytes(availableBytes)} is available: still under pressure.`)
        : colors.green(`Then ${formatBytes(availableBytes)} is available: the pressure is over.`),
    );
  }
  const next = survivors.find(({ group }) => group !== 'protected');
  lines.push(
    `${survivors.length} ${survivors.length === 1 ? 'pod stays' : 'pods stay'}${next === undefined ? '' : `; next would be ${printable(nameOf(next))}`}.`,
  );
  return `${[...lines, ...notes.flatMap((note) => wrapOnTerminal(printable(note), { columns: width }).map(colors.yellow))].join('\n')}\n`;
}

/** One line for each pod: evicted ones in order, then those that stay. */
export function simulationCsv({ evictions, survivors }: Simulation): string {
  return csvText(
    ['outcome', 'namespace', 'pod', 'group', 'decidedBy', 'availableBeforeBytes', 'availableAfterBytes'],
    [
      ...evictions.map((pod) => ({ outcome: 'evicted', ...pod })),
      ...survivors.map((pod) => ({ outcome: 'stays', ...pod })),
    ],
  );
}

function nameOf({ namespace, pod }: SimulatedPod): string {
  return `${namespace}/${pod}`;
}

/** Why it goes before the next one, behind the name of its group. */
const beforeNext: Readonly<Record<DecidedBy, string>> = {
  no_stats: 'the next has some',
  exceeds_request: 'the next is not',
  priority: 'lower priority than the next',
  over_request: 'larger amount than the next',
  tie: 'ties with the next',
};

function reason(group: SimulatedPod['group'], decidedBy: SimulatedPod['decidedBy']): string {
  return `${groupNames[group]}; ${decidedBy === null ? 'last of all' : beforeNext[decidedBy]}`;
}
