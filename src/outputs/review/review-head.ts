import { percent } from '../../review/finding.ts';
import type { ClusterReview, Review } from '../../review/review.ts';
import { countText, foundIn, totalText } from './review-text.ts';

/** What stands at the head of a review for people, in the order in which it is read. */
export interface ReviewHead {
  /** What following the recommendations gains, in one sentence. */
  readonly gain: string;
  /** The most urgent kinds of findings, each with the first few of its subjects; none where nothing was found. */
  readonly urgent: readonly UrgentKind[];
  /** Sums, and what the number of nodes leaves out. */
  readonly details: readonly string[];
  /** What was not known and what that costs. */
  readonly gaps: readonly string[];
}

export interface UrgentKind {
  readonly title: string;
  readonly subjects: string;
}

export function reviewHead(review: Review): ReviewHead {
  const { cluster, gaps, findingGaps } = review;
  return {
    gain: gainText(cluster),
    urgent: mostUrgent(review),
    details: [...choiceTexts(review), memoryText(cluster), ...packingTexts(cluster)],
    gaps: [...gaps, ...findingGaps],
  };
}

function gainText({ freedBytes, addedBytes, nodesNeeded, nodes }: ClusterReview): string {
  const bytes = `Following every recommendation frees ${totalText(freedBytes)} of memory requests and adds ${totalText(addedBytes)} where they are too low`;
  if (nodesNeeded === undefined) return `${bytes}.`;
  const { now, recommended } = nodesNeeded;
  const needed =
    now.nodes === recommended.nodes
      ? `${now.nodes} of ${nodes} nodes would do, before and after`
      : `${recommended.nodes} of ${nodes} nodes would do instead of ${now.nodes}`;
  return `${bytes}; ${needed}.`;
}

const mostKinds = 3;
const mostSubjects = 3;

function mostUrgent(review: Review): UrgentKind[] {
  const byTitle = new Map<string, string[]>();
  for (const [subject, { title }] of foundIn(review)) {
    byTitle.set(title, [...(byTitle.get(title) ?? []), subject]);
  }
  return [...byTitle].slice(0, mostKinds).map(([title, subjects]) => {
    const more = subjects.length - mostSubjects;
    return {
      title,
      subjects: `${subjects.slice(0, mostSubjects).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    };
  });
}

/** In one sentence. */
export function urgentText({ urgent }: Pick<ReviewHead, 'urgent'>): string {
  return urgent.length === 0
    ? 'Nothing found that is worth acting on.'
    : `Most urgent: ${urgent.map(({ title, subjects }) => `${title}: ${subjects}`).join('; ')}.`;
}

/** The rest of the head is about the whole cluster, whatever was chosen. */
function choiceTexts({ workloads, workloadCount }: Review): string[] {
  if (workloads.length === workloadCount) return [];
  const changes = workloads.map(({ effect }) => effect?.changeBytes ?? 0);
  const sum = (sign: 1 | -1): string =>
    totalText(changes.reduce((total, bytes) => total + Math.max(0, bytes * sign), 0));
  return [
    `Shown are ${workloads.length} of ${countText(workloadCount, 'workload')}: these alone free ${sum(-1)} and add ${sum(1)}.`,
  ];
}

function memoryText({ memory, nodes, measuredNodes }: ClusterReview): string {
  const { allocatableBytes, requestsBytes, podsBytes } = memory;
  const share = (bytes: number | undefined): string =>
    bytes === undefined || allocatableBytes === undefined || allocatableBytes === 0
      ? totalText(bytes)
      : `${totalText(bytes)} (${percent(bytes / allocatableBytes)})`;
  const which =
    measuredNodes === nodes ? countText(nodes, 'node') : `${measuredNodes} of ${nodes} nodes are known`;
  return `${which}: ${totalText(allocatableBytes)} allocatable, ${share(requestsBytes)} requested, ${share(podsBytes)} used by pods.`;
}

function packingTexts({ nodesNeeded }: ClusterReview): string[] {
  if (nodesNeeded === undefined) return [];
  const { now, recommended } = nodesNeeded;
  const unplaced =
    now.unplaced + recommended.unplaced === 0
      ? ''
      : ` Pods that fit nowhere: ${now.unplaced} now, ${recommended.unplaced} as recommended.`;
  return [
    `Nodes needed are an estimate, first fit by memory and cpu requests: affinity, taints and volumes are left out.${unplaced}`,
  ];
}
