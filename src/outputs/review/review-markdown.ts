import type { Review, WorkloadReview } from '../../review/review.ts';
import {
  bytesText,
  changeText,
  foundIn,
  nameOf,
  ratioText,
  recommendationText,
  signed,
  summaryLines,
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
  Class: ({ effect, pods }) => {
    const before = effect?.qosBefore ?? pods[0]?.pod.qosClass ?? '';
    return effect?.qosAfter === undefined || effect.qosAfter === before
      ? before
      : `${before} → ${effect.qosAfter}`;
  },
};

/** The review as a report for a merge request or a wiki. */
export function reviewMarkdown(review: Review, evaluatedAtMs: number): string {
  const { cluster, nodes, workloads, gaps } = review;
  return [
    '# Capacity review',
    '',
    `As of ${new Date(evaluatedAtMs).toISOString()}.`,
    '',
    ...summaryLines(cluster).map((line) => `- ${escapeMark(line)}`),
    '',
    '## Findings',
    '',
    ...foundIn(review).map(
      ([subject, { title, numbers, remedy }]) =>
        `- **${escapeMark(title)}**: ${escapeMark(subject)}: ${escapeMark(numbers)}. ${escapeMark(capitalize(remedy))}.`,
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
      ['Node', 'Pods:', 'Allocatable:', 'Requests:', 'Pods use:', 'Requests − use:'],
      nodes.map((node) => [
        node.name,
        String(node.pods),
        totalText(node.allocatableBytes),
        totalText(node.requestsBytes),
        totalText(node.podsBytes),
        node.requestsBytes === undefined || node.podsBytes === undefined
          ? '?'
          : signed(node.requestsBytes - node.podsBytes),
      ]),
    ),
    ...(gaps.length === 0 ? [] : ['', '## Not known', '', ...gaps.map((gap) => `- ${escapeMark(gap)}`)]),
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

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
