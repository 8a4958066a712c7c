import type { Finding } from '../../review/finding.ts';
import type { NodeReview, Review, WorkloadReview } from '../../review/review.ts';
import { urgencyOf } from '../../review/urgency.ts';
import { type Markup, markup } from './markup.ts';
import { hoursChart, nodeBars, workloadBars } from './review-charts.ts';
import { type ReviewHead, reviewHead } from './review-head.ts';
import { reviewStyle } from './review-style.ts';
import {
  bytesText,
  changeText,
  classText,
  leavingText,
  nameOf,
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
  return markup`<section class="head"><p class="gain">${keepPercent(gain)}</p><p>${urgent}</p>${gaps.map(
    (gap) => markup`<p class="gap"><strong>Incomplete.</strong> ${gap}</p>`,
  )}<ul>${details.map((line) => markup`<li>${keepPercent(line)}</li>`)}</ul></section>`;
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

/** A percent sign alone on a line reads badly. */
function keepPercent(text: string): string {
  return text.replaceAll(' %', '\u00A0%');
}

function nodeCard(node: NodeReview): Markup {
  return markup`<article><h3>${node.name}</h3>${nodeBars(node)}${node.findings.map(findingOf)}</article>`;
}

function workloadCard(review: WorkloadReview): Markup {
  const { replicas, hourly } = review;
  return markup`<article><h3>${nameOf(review)}</h3><p class="facts">${replicas} pods · over its request ${ratioText(hourly?.timeOverRequestRatio)} of the time · ${changeText(review) || 'no'} change</p>${workloadBars(review)}${hoursChart(review)}${review.findings.map(findingOf)}</article>`;
}

const columns: readonly { readonly title: string; readonly text: (review: WorkloadReview) => string }[] = [
  { title: 'Pods', text: ({ replicas }) => String(replicas) },
  { title: 'Request', text: ({ requestBytes }) => bytesText(requestBytes) },
  { title: 'Peak', text: ({ hourly }) => bytesText(hourly?.peakBytes) },
  { title: 'p99', text: ({ hourly }) => bytesText(hourly?.p99Bytes) },
  { title: 'p95', text: ({ hourly }) => bytesText(hourly?.p95Bytes) },
  { title: 'Over', text: ({ hourly }) => ratioText(hourly?.timeOverRequestRatio) },
  { title: 'OOM', text: ({ oomKills }) => (oomKills === undefined ? '?' : String(oomKills)) },
  { title: 'Recommended', text: recommendationText },
  { title: 'Change', text: changeText },
  { title: 'Leaving', text: leavingText },
  { title: 'Class', text: classText },
  { title: 'Confidence', text: ({ confidence }) => confidence ?? '' },
];

/** Where there is no room for columns, the style shows each row as a list; hence the titles in the cells. */
function workloadTable(workloads: readonly WorkloadReview[]): Markup {
  return markup`<table><thead><tr><th>Workload</th>${columns.map(({ title }) => markup`<th>${title}</th>`)}</tr></thead><tbody>${workloads.map(
    (one) =>
      markup`<tr><th scope="row">${nameOf(one)}</th>${columns.map(({ title, text }) => markup`<td data-title="${title}">${text(one)}</td>`)}</tr>`,
  )}</tbody></table>`;
}
