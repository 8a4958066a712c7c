import type { Review, WorkloadReview } from '../../review/review.ts';
import { reviewHead, urgentText } from './review-head.ts';
import {
  bytesText,
  changeText,
  classText,
  foundIn,
  leavingText,
  nameOf,
  nodeNameOf,
  ratioText,
  recommendationText,
  remedyText,
  signed,
  totalText,
} from './review-text.ts';

const workloadColumns: Readonly<Record<string, (review: WorkloadReview) => string>> = {
  Workload: nameOf,
  'Pods:': ({ replicas }) => String(replicas),
  'Request:': ({ requestBytes }) => bytesText(requestBytes),
  'Peak:': ({ hourly }) => bytesText(hourly?.peakBytes),
  'p99:': ({ hourly }) => bytesText(hourly?.p99Bytes),
  'p95:': ({ hourly }) => bytesText(hourly?.p95Bytes),
  'Time over request:': ({ hourly }) => ratioText(hourly?.timeOverRequestRatio),
  'OOM kills:': ({ oomKills }) => (oomKills === undefined ? '?' : String(oomKills)),
  'Recommended:': recommendationText,
  'Change:': changeText,
  Confidence: ({ confidence }) => confidence ?? '',
  'Leave first group:': leavingText,
  Class: classText,
};

/** The review as a report for a merge request or a wiki. */
export function reviewMarkdown(review: Review, evaluatedAtMs: number): string {
  const { nodes, workloads } = review;
  const head = reviewHead(review);
  const { gain, details, gaps } = head;
  return [
    '# Capacity review',
    '',
    `As of ${new Date(evaluatedAtMs).toISOString()}.`,
    '',
    `**${escapeMark(gain)}**`,
    '',
    escapeMark(urgentText(head)),
    '',
    ...details.map((line) => `- ${escapeMark(line)}`),
    '',
    ...gaps.flatMap((gap) => [`> **Incomplete.** ${escapeMark(gap)}`, '']),
    '## Findings',
    '',
    ...foundIn(review).map(
      ([subject, finding]) =>
        `- **${escapeMark(finding.title)}**: ${escapeMark(subject)}: ${escapeMark(finding.numbers)}. ${escapeMark(remedyText(finding))}`,
    ),
    '',
    '## Workloads',
    '',
    ...table(
      Object.keys(workloadColumns),
      workloads.map((one) => Object.values(workloadColumns).map((text) => text(one))),
    ),
    '',
    '## Nodes',
    '',
    ...table(
      ['Node', 'Pods:', 'Allocatable:', 'Requests:', 'Pods use:', 'Node uses:', 'Requests − pods use:'],
      nodes.map((node) => [
        nodeNameOf(node),
        String(node.pods),
        totalText(node.allocatableBytes),
        totalText(node.requestsBytes),
        totalText(node.podsBytes),
        totalText(node.workingSetBytes),
        node.requestsBytes === undefined || node.podsBytes === undefined
          ? '?'
          : signed(node.requestsBytes - node.podsBytes),
      ]),
    ),
    '',
  ].join('\n');
}

/** Titles that end with a colon head columns of numbers. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(titles.map((title) => title.replace(/:$/, ''))),
    line(titles.map((title) => (title.endsWith(':') ? '---:' : '---'))),
    ...rows.map((cells) => line(cells.map(escapeMark))),
  ];
}

/** Names come from the cluster: nothing in them may open markup, a link or a cell. */
function escapeMark(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#!]/g, (mark) => `\\${mark}`).replaceAll(/[\r\n]+/g, ' ');
}
