import type { Finding } from '../../review/finding.ts';
import type { NodeReview, Review, WorkloadReview } from '../../review/review.ts';
import { urgencyOf } from '../../review/urgency.ts';
import { type Markup, markup } from './markup.ts';
import { hoursChart, nodeBars, workloadBars } from './review-charts.ts';
import { type ReviewHead, reviewHead, urgentText } from './review-head.ts';
import { reviewStyle } from './review-style.ts';
import {
  bytesText,
  changeText,
  classText,
  countText,
  leavingText,
  nameOf,
  nodeNameOf,
  ratioText,
  recommendationText,
  remedyText,
} from './review-text.ts';

/** One page that needs nothing else: no script, no network. */
export function reviewHtml(review: Review, evaluatedAtMs: number): string {
  const { cluster, nodes, workloads } = review;
  const found = withFindings(workloads);
  const foundNodes = withFindings(nodes);
  const time = new Date(evaluatedAtMs).toISOString();
  const page = markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Capacity review</title>
<style>${reviewStyle}</style>
</head>
<body>
<header><h1>Capacity review</h1><p>As of <time datetime="${time}">${time.replace('T', ' ').slice(0, 16)} UTC</time></p></header>
<main>
${headOf(reviewHead(review))}
${
  cluster.findings.length === 0
    ? markup``
    : markup`<section><h2>Cluster</h2><div class="cards">${cluster.findings.map((finding) => markup`<article>${findingOf(finding)}</article>`)}</div></section>`
}
${
  foundNodes.length === 0
    ? markup``
    : markup`<section><h2>Nodes with findings</h2><div class="cards">${foundNodes.map(nodeCard)}</div></section>`
}
${
  found.length === 0
    ? markup``
    : markup`<section><h2>Workloads with findings</h2>${legend}<div class="cards">${found.map(workloadCard)}</div></section>`
}
<section><h2>All workloads</h2>${workloadTable(workloads)}</section>
<section><h2>Other nodes</h2><div class="cards small">${nodes.filter(({ findings }) => findings.length === 0).map(nodeCard)}</div></section>
</main>
</body>
</html>
`;
  return `<!doctype html>\n${page.html}`;
}

function headOf({ gain, urgent, details, gaps }: ReviewHead): Markup {
  return markup`<section class="head"><p class="gain">${keepPercent(gain)}</p>${urgentOf(urgent)}${gaps.map(
    (gap) => markup`<p class="gap"><strong>Incomplete.</strong> ${gap}</p>`,
  )}<ul class="details">${details.map((line) => markup`<li>${keepPercent(line)}</li>`)}</ul></section>`;
}

function urgentOf(urgent: ReviewHead['urgent']): Markup {
  return urgent.length === 0
    ? markup`<p>${urgentText({ urgent })}</p>`
    : markup`<p>Most urgent:</p><ul class="urgent">${urgent.map(({ title, subjects }) => markup`<li><strong>${title}</strong>: ${subjects}</li>`)}</ul>`;
}

const legend = markup`<p class="facts legend"><span class="use">peak</span><span class="request">request</span><span class="recommended">recommended request</span>of one pod; curves are hourly peaks, oldest first</p>`;

/** Those with the most urgent finding first. */
function withFindings<Found extends { readonly findings: readonly Finding[] }>(
  all: readonly Found[],
): Found[] {
  const urgency = ({ findings }: Found): number => Math.min(...findings.map(urgencyOf));
  return all.filter(({ findings }) => findings.length > 0).toSorted((a, b) => urgency(a) - urgency(b));
}

function findingOf(finding: Finding): Markup {
  return markup`<p><strong>${finding.title}</strong>: ${keepPercent(finding.numbers)}.</p><p class="remedy">${remedyText(finding)}</p>`;
}

/** Long names break behind a slash rather than in a word. */
function breakable(name: string): Markup {
  return markup`${name.split('/').map((part, i) => (i === 0 ? markup`${part}` : markup`/<wbr>${part}`))}`;
}

/** A percent sign alone on a line reads badly. */
function keepPercent(text: string): string {
  return text.replaceAll(' %', '\u00A0%');
}

function nodeCard(node: NodeReview): Markup {
  return markup`<article><h3>${nodeNameOf(node)}</h3>${nodeBars(node)}${node.findings.map(findingOf)}</article>`;
}

function workloadCard(review: WorkloadReview): Markup {
  const { replicas, hourly, effect } = review;
  const change = effect === undefined ? recommendationText(review) : `change ${changeText(review)}`;
  return markup`<article><h3>${breakable(nameOf(review))}</h3><p class="facts">${countText(replicas, 'pod')} · over its request ${keepPercent(ratioText(hourly?.timeOverRequestRatio))} of the time · ${change}</p>${workloadBars(review)}${hoursChart(review)}${review.findings.map(findingOf)}</article>`;
}

const columns: readonly {
  readonly title: string;
  readonly text: (review: WorkloadReview) => string;
  readonly isWord?: boolean;
}[] = [
  { title: 'Pods', text: ({ replicas }) => String(replicas) },
  { title: 'Request', text: ({ requestBytes }) => bytesText(requestBytes) },
  { title: 'Peak', text: ({ hourly }) => bytesText(hourly?.peakBytes) },
  { title: 'p99', text: ({ hourly }) => bytesText(hourly?.p99Bytes) },
  { title: 'p95', text: ({ hourly }) => bytesText(hourly?.p95Bytes) },
  { title: 'Over request', text: ({ hourly }) => ratioText(hourly?.timeOverRequestRatio) },
  { title: 'OOM kills', text: ({ oomKills }) => (oomKills === undefined ? '?' : String(oomKills)) },
  { title: 'Recommended', text: recommendationText },
  { title: 'Change', text: changeText },
  { title: 'Leave first group', text: leavingText },
  { title: 'Class', text: classText, isWord: true },
  { title: 'Confidence', text: ({ confidence }) => confidence ?? '', isWord: true },
];

/** Where there is no room for columns, the style shows each row as a list; hence the titles in the cells. */
function workloadTable(workloads: readonly WorkloadReview[]): Markup {
  return markup`<table><thead><tr><th>Workload</th>${columns.map(({ title, isWord }) => markup`<th class="${isWord ? 'word' : 'number'}">${title}</th>`)}</tr></thead><tbody>${workloads.map(
    (one) =>
      markup`<tr><th scope="row">${breakable(nameOf(one))}</th>${columns.map(({ title, text, isWord }) => markup`<td class="${isWord ? 'word' : 'number'}" data-title="${title}">${text(one)}</td>`)}</tr>`,
  )}</tbody></table>`;
}
