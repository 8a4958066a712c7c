import type { Finding } from '../../review/finding.ts';
import type { Review, WorkloadReview } from '../../review/review.ts';
import type { Colors } from '../cli/terminal.ts';
import { type Column, textTable } from '../cli/text-table.ts';
import { wrapOnTerminal } from '../cli/wrapped-text.ts';
import { reviewHead, urgentText } from './review-head.ts';
import {
  bytesText,
  changeText,
  classText,
  foundIn,
  leavingText,
  nameOf,
  ratioText,
  recommendationText,
  remedyText,
} from './review-text.ts';

const columns: readonly Column<WorkloadReview>[] = [
  { title: 'WORKLOAD', align: 'left', minWidth: 26, text: nameOf },
  { title: 'PODS', align: 'right', text: ({ replicas }) => String(replicas) },
  { title: 'REQUEST', align: 'right', text: ({ requestBytes }) => bytesText(requestBytes) },
  { title: 'PEAK', align: 'right', text: ({ hourly }) => bytesText(hourly?.peakBytes) },
  { title: 'P99', align: 'right', dropOrder: 2, text: ({ hourly }) => bytesText(hourly?.p99Bytes) },
  { title: 'P95', align: 'right', dropOrder: 1, text: ({ hourly }) => bytesText(hourly?.p95Bytes) },
  {
    title: 'OVER',
    align: 'right',
    dropOrder: 6,
    text: ({ hourly }) => ratioText(hourly?.timeOverRequestRatio),
  },
  {
    title: 'OOM',
    align: 'right',
    dropOrder: 7,
    text: ({ oomKills }) => (oomKills === undefined ? '?' : String(oomKills)),
  },
  { title: 'RECOMMENDED', align: 'right', text: recommendationText },
  { title: 'CHANGE', align: 'right', dropOrder: 8, text: changeText },
  { title: 'LEAVING', align: 'right', dropOrder: 4, text: leavingText },
  { title: 'CLASS', align: 'left', dropOrder: 3, text: classText },
  { title: 'CONFIDENCE', align: 'left', dropOrder: 5, text: ({ confidence }) => confidence ?? '' },
];

/** The review for people. */
export function reviewTable(review: Review, width: number | undefined, colors: Colors): string {
  const { workloads } = review;
  const top = reviewHead(review);
  const { gain, details, gaps } = top;
  const [head = '', ...body] = textTable(columns, [{ heading: undefined, rows: workloads }], width);
  const found = foundIn(review);
  return [
    ...wrapOnTerminal(gain, { columns: width }).map(colors.bold),
    ...[urgentText(top), ...details, ...gaps.map((gap) => `Incomplete: ${gap}`)].flatMap((line) =>
      wrapOnTerminal(line, { columns: width, hang: 2 }),
    ),
    '',
    colors.dim(head),
    ...body,
    '',
    colors.bold(`Findings: ${found.length}`),
    ...found.flatMap(([subject, finding]) => findingLines(subject, finding, { width, colors })),
    '',
  ].join('\n');
}

function findingLines(
  subject: string,
  finding: Finding,
  { width, colors }: { readonly width: number | undefined; readonly colors: Colors },
): string[] {
  return [
    `${colors.cyan(finding.title)}: ${subject}`,
    ...wrapOnTerminal(`${finding.numbers}.`, { columns: width, indent: 4 }),
    ...wrapOnTerminal(`→ ${remedyText(finding)}`, { columns: width, indent: 4, hang: 2 }),
  ];
}
