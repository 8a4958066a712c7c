import { percent } from '../../review/finding.ts';
import type { ClusterReview, Review } from '../../review/review.ts';
import { foundIn, totalText } from './review-text.ts';

/** What stands at the head of a review for people, in the order in which it is read. */
export interface ReviewHead {
  /** What following the recommendations gains, in one sentence. */
  readonly gain: string;
  /** The most urgent findings, in one sentence. */
  readonly urgent: string;
  /** Sums, and what the number of nodes leaves out. */
  readonly details: readonly string[];
  /** What was not known and what that costs. */
  readonly gaps: readonly string[];
}

export function reviewHead(review: Review): ReviewHead {
  const { cluster, gaps } = review;
  return {
    gain: gainText(cluster),
    urgent: urgentText(review),
    details: [memoryText(cluster), ...packingTexts(cluster)],
    gaps,
  };
}

function gainText({ freedBytes, addedBytes, nodesNeeded, nodes }: ClusterReview): string {
  const bytes = `Following every recommendation frees ${totalText(freedBytes)} of memory requests and adds ${totalText(addedBytes)}`;
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

function urgentText(review: Review): string {
  const byTitle = new Map<string, string[]>();
  for (const [subject, { title }] of foundIn(review)) {
    byTitle.set(title, [...(byTitle.get(title) ?? []), subject]);
  }
  if (byTitle.size === 0) return 'Nothing found that is worth acting on.';
  const kinds = [...byTitle].slice(0, mostKinds).map(([title, subjects]) => {
    const more = subjects.length - mostSubjects;
    return `${title}: ${subjects.slice(0, mostSubjects).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return `Most urgent: ${kinds.join('; ')}.`;
}

function memoryText({ memory, nodes, measuredNodes }: ClusterReview): string {
  const { allocatableBytes, requestsBytes, podsBytes } = memory;
  const share = (bytes: number | undefined): string =>
    bytes === undefined || allocatableBytes === undefined || allocatableBytes === 0
      ? totalText(bytes)
      : `${totalText(bytes)} (${percent(bytes / allocatableBytes)})`;
  const which = measuredNodes === nodes ? `${nodes} nodes` : `${measuredNodes} of ${nodes} nodes are known`;
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
