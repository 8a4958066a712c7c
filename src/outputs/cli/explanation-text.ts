/** An explanation as a person reads it, who need not know the kubelet. */
import type { Counterfactual } from '../../explain/counterfactuals.ts';
import { placeText } from '../../explain/counterfactuals.ts';
import type { BasisExplanation, PodExplanation } from '../../explain/pod-explanation.ts';
import { formatBytes } from '../../foundation/byte-text.ts';
import type { ComparatorGroup } from '../../kubelet/candidate.ts';
import { resourcesText } from './resources-text.ts';
import { type Colors, printable } from './terminal.ts';
import { type Column, textTable } from './text-table.ts';
import { bullet, wrapText } from './wrapped-text.ts';

export interface ExplainedName {
  readonly namespace: string;
  readonly pod: string;
  readonly node: string;
}

const howItChooses = [
  'When a node runs short of memory, its kubelet (the agent on the node) evicts one pod after another until enough is free. It asks three things of every pod, and the first one that differs decides: does the pod use more memory than it requests (such pods go first); its priority (the lower goes first); the amount of its usage minus its request (the larger goes first, and below the request the one that is closest to it). The QoS class plays no part in it.',
  'The request is the memory that is reserved for a pod by its manifest, the usage what it has in use (its working set), and the priority the number of its PriorityClass, 0 without one.',
] as const;

/** Everything of an explanation but what is only for programs. */
export function explanationText(
  name: ExplainedName,
  explanation: PodExplanation,
  { columns, colors }: { readonly columns: number | undefined; readonly colors: Colors },
): string {
  const { summary, now, peak, distance, counterfactuals, resources, cautions } = explanation;
  const heading = (text: string): string[] => ['', colors.bold(text)];
  const list = (texts: readonly string[]) => texts.flatMap((text) => bullet(printable(text), columns));
  const lines = [
    colors.bold(printable(`${name.namespace}/${name.pod}`)),
    ...wrapText(printable(summary), { columns }),
    ...heading('Where it stands'),
    ...list([
      `Now: ${standing(now)}`,
      `With every pod at its peak: ${standing(peak)}`,
      `Distance: ${distance.sentence}`,
    ]),
    ...section(heading('Why there and not elsewhere'), list(reasonsOf(now))),
    ...section(heading('What would change that'), [
      ...list(requestAndPeakSentences(counterfactuals)),
      ...priorityTable(counterfactuals, columns, colors),
    ]),
    ...(resources === undefined ? [] : resourcesText(resources, { columns, heading, list, colors })),
    ...section(heading('Mind that'), list(cautions)),
    ...heading('How the kubelet chooses'),
    ...howItChooses.flatMap((text) => wrapText(text, { columns, indent: 2 })),
  ];
  return `${lines.join('\n')}\n`;
}

function section(heading: readonly string[], lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [...heading, ...lines];
}

const groupWords: Readonly<Record<ComparatorGroup, string>> = {
  no_stats: 'among the pods without memory figures, which go first',
  exceeds_request: 'among the pods that use more than they request, which go early',
  within_request: 'among the pods within their request, which go late',
  protected: 'never evicted',
};

function standing({ group, rank, rankedPods, usageBytes, values, tiedWith }: BasisExplanation): string {
  if (group === undefined || rankedPods === undefined) return `not ranked, ${usage(usageBytes)}.`;
  const place = { group, rank, rankedPods, tied: tiedWith.length > 0 };
  const over = values?.overRequestBytes;
  return `${placeText(place)}${rank === undefined ? '' : `, ${groupWords[group]}`}; ${usage(usageBytes)}${over === undefined ? '' : `, ${aboveOrBelow(over)}`}${values === undefined ? '' : `, priority ${values.priority}`}.`;
}

function usage(usageBytes: number | undefined): string {
  return usageBytes === undefined ? 'its usage is not known' : `it uses ${formatBytes(usageBytes)}`;
}

function aboveOrBelow(overRequestBytes: number): string {
  if (overRequestBytes === 0) return 'exactly what it requests';
  const size = formatBytes(Math.abs(overRequestBytes));
  return overRequestBytes > 0 ? `${size} above its request` : `${size} below its request`;
}

/** At most this many tied pods are named. */
const NAMED_TIES = 5;

function reasonsOf({ neighbours, tiedWith }: BasisExplanation): readonly string[] {
  const named = tiedWith.slice(0, NAMED_TIES).join(', ');
  const more = tiedWith.length > NAMED_TIES ? ` and ${tiedWith.length - NAMED_TIES} more` : '';
  return [
    ...neighbours.map(({ sentence }) => sentence),
    ...(tiedWith.length === 0
      ? []
      : [`Nothing tells it from ${named}${more}: the kubelet may take any of them first.`]),
  ];
}

/** Where the pod is at its peak now, both requests are the same one and one sentence is enough. */
function requestAndPeakSentences(counterfactuals: readonly Counterfactual[]): readonly string[] {
  const now = counterfactuals.find(({ kind }) => kind === 'request_covers_now');
  return counterfactuals
    .filter(({ kind }) => kind !== 'priority')
    .filter(
      ({ kind, change }) =>
        kind !== 'request_covers_peak' || change.requestBytes !== now?.change.requestBytes,
    )
    .map(({ sentence }) => sentence);
}

/** A table, for clusters have many classes. */
function priorityTable(
  counterfactuals: readonly Counterfactual[],
  columns: number | undefined,
  colors: Colors,
): readonly string[] {
  const rows = counterfactuals.filter(({ kind }) => kind === 'priority');
  if (rows.length === 0) return [];
  const table: readonly Column<Counterfactual>[] = [
    {
      title: 'WITH PRIORITY CLASS',
      align: 'left',
      text: ({ priorityClass }) => priorityClass ?? '(none)',
      minWidth: 20,
    },
    { title: 'PRIORITY', align: 'right', text: ({ change }) => String(change.priority) },
    { title: 'PLACE NOW', align: 'left', text: ({ now }) => placeText(now) },
    { title: 'ALL AT PEAK', align: 'left', text: ({ peak }) => placeText(peak) },
  ];
  const [head = '', ...body] = textTable(table, [{ heading: undefined, rows }], columns);
  return ['', colors.dim(`  ${head}`), ...body.map((line) => `  ${line}`)];
}
