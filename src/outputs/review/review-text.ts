import { formatBytes, formatTotal } from '../../foundation/byte-text.ts';
import { type Finding, percent } from '../../review/finding.ts';
import type { NodeReview, Review, WorkloadReview } from '../../review/review.ts';
import { urgencyOf } from '../../review/urgency.ts';

/** How a review says its numbers, the same in every format for people. */

export function nameOf({ workload }: Pick<WorkloadReview, 'workload'>): string {
  const { cluster, namespace, kind, name } = workload;
  return `${cluster === undefined ? '' : `${cluster}/`}${namespace}/${kind}/${name}`;
}

/** `1 pod`, `3 pods`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

export function bytesText(bytes: number | undefined): string {
  return bytes === undefined ? '?' : formatBytes(bytes);
}

export function ratioText(ratio: number | undefined): string {
  return ratio === undefined ? '?' : percent(ratio);
}

/** `Burstable`, or `BestEffort → Burstable` where the recommendation changes the class. */
export function classText({ effect, pods }: Pick<WorkloadReview, 'effect' | 'pods'>): string {
  const before = effect?.qosBefore ?? pods[0]?.pod.qosClass ?? '';
  return effect?.qosAfter === undefined || effect.qosAfter === before
    ? before
    : `${before} → ${effect.qosAfter}`;
}

/** Pods that leave the group which is evicted first; empty for none. */
export function leavingText({ effect }: Pick<WorkloadReview, 'effect'>): string {
  return effect === undefined || effect.podsLeavingFirstGroup === 0
    ? ''
    : String(effect.podsLeavingFirstGroup);
}

/** `-1.2Gi`, `+64Mi`, `0`. */
export function changeText({ effect }: Pick<WorkloadReview, 'effect'>): string {
  if (effect === undefined) return '';
  return signed(effect.changeBytes);
}

export function signed(bytes: number): string {
  if (bytes === 0) return '0';
  return `${bytes > 0 ? '+' : ''}${totalText(bytes)}`;
}

export function totalText(bytes: number | undefined): string {
  return bytes === undefined ? '?' : formatTotal(bytes);
}

/** The recommended request, with what lifted it, or why there is none. */
export function recommendationText({ recommendation }: Pick<WorkloadReview, 'recommendation'>): string {
  if (recommendation.abstention !== undefined)
    return `none: ${recommendation.abstention.replaceAll('_', ' ')}`;
  const { requestBytes, floor } = recommendation;
  return `${formatBytes(requestBytes)}${floor === undefined ? '' : ` (${floor.replaceAll('_', ' ')} floor)`}`;
}

/** Every finding with its subject, the most urgent first. */
export function foundIn({ cluster, nodes, workloads }: Review): (readonly [string, Finding])[] {
  const found: (readonly [string, Finding])[] = [
    ...cluster.findings.map((finding) => ['cluster', finding] as const),
    ...nodes.flatMap((node) =>
      node.findings.map((finding) => [`node ${nodeNameOf(node)}`, finding] as const),
    ),
    ...workloads.flatMap((one) => one.findings.map((finding) => [nameOf(one), finding] as const)),
  ];
  return found.toSorted(([, a], [, b]) => urgencyOf(a) - urgencyOf(b));
}

export function nodeNameOf({ cluster, name }: Pick<NodeReview, 'cluster' | 'name'>): string {
  return `${cluster === undefined ? '' : `${cluster}/`}${name}`;
}

/** What is to be done, as a sentence. */
export function remedyText({ remedy }: Finding): string {
  return `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`;
}
