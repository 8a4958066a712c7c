import { formatBytes } from '../../foundation/byte-text.ts';
import { type Finding, percent } from '../../review/finding.ts';
import type { ClusterReview, Review, WorkloadReview } from '../../review/review.ts';

/** How a review says its numbers, the same in every format for people. */

export function nameOf({ workload }: Pick<WorkloadReview, 'workload'>): string {
  const { cluster, namespace, kind, name } = workload;
  return `${cluster === undefined ? '' : `${cluster}/`}${namespace}/${kind}/${name}`;
}

export function bytesText(bytes: number | undefined): string {
  return bytes === undefined ? '?' : formatBytes(bytes);
}

export function ratioText(ratio: number | undefined): string {
  return ratio === undefined ? '?' : percent(ratio);
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

const gibibyte = 2 ** 30;

/** Sums need no exact mebibytes: `59.2Gi`. */
export function totalText(bytes: number | undefined): string {
  if (bytes === undefined) return '?';
  return Math.abs(bytes) >= 10 * gibibyte ? `${(bytes / gibibyte).toFixed(1)}Gi` : formatBytes(bytes);
}

/** The recommended request, with what lifted it. */
export function recommendationText({ recommendation }: Pick<WorkloadReview, 'recommendation'>): string {
  if (recommendation.abstention !== undefined) return recommendation.abstention.replaceAll('_', ' ');
  const { requestBytes, floor } = recommendation;
  return `${formatBytes(requestBytes)}${floor === undefined ? '' : ` (${floor.replaceAll('_', ' ')} floor)`}`;
}

/** The sentences at the head of a review. */
export function summaryLines(cluster: ClusterReview): string[] {
  const { memory, packing } = cluster;
  const lines = [
    `${cluster.nodes} nodes: requests ${totalText(memory.requestsBytes)}, pods use ${totalText(memory.podsBytes)} of ${totalText(memory.allocatableBytes)} allocatable (nodes of which all is known)`,
    `Following every recommendation frees ${totalText(cluster.freedBytes)} and adds ${totalText(cluster.addedBytes)} of requests`,
  ];
  if (packing !== undefined) {
    const { now, recommended, usesCpu } = packing;
    const unplaced = Math.max(now.unplaced, recommended.unplaced);
    lines.push(
      `Nodes needed, first fit by memory${usesCpu ? ' and cpu' : ' alone'}: ${now.nodes} now, ${recommended.nodes} as recommended${unplaced === 0 ? '' : ` (${unplaced} pods fit nowhere)`}; an estimate that leaves out affinity and taints`,
    );
  }
  return lines;
}

/** Every finding with its subject: the cluster's, the nodes', the workloads'. */
export function foundIn({ cluster, nodes, workloads }: Review): (readonly [string, Finding])[] {
  return [
    ...cluster.findings.map((finding) => ['cluster', finding] as const),
    ...nodes.flatMap(({ name, findings }) => findings.map((finding) => [`node ${name}`, finding] as const)),
    ...workloads.flatMap((one) => one.findings.map((finding) => [nameOf(one), finding] as const)),
  ];
}
