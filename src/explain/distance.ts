import type { RankedNode, RankedPod } from '../snapshot/snapshot.ts';
import type { NodeOrder } from './ranking.ts';
import { whyIncomplete, whyProtected } from './summary.ts';
import { count, size } from './wording.ts';

export interface DistanceExplanation {
  /** How much more memory the node must lose before the kubelet takes this pod. */
  readonly bytes: number | undefined;
  readonly sentence: string;
}

/** @param order basis now; undefined where the node is not ranked. */
export function explainDistance(
  ranked: RankedPod,
  node: RankedNode,
  order: NodeOrder | undefined,
): DistanceExplanation {
  const bytes = ranked.distanceBytes;
  const unknown = (sentence: string) => ({ bytes: undefined, sentence });
  if (order === undefined) return unknown(`Not known: ${whyIncomplete(node)}.`);
  const { rank } = ranked.now;
  if (rank === undefined) return unknown(`There is none: ${whyProtected(ranked)}.`);
  if (node.headroomBytes === undefined) {
    return unknown(
      `Not known: the memory size of ${node.node.name}, or how much of it is in use, is missing.`,
    );
  }
  const before = order.filter(({ standing }) => standing.rank !== undefined && standing.rank < rank);
  if (bytes === undefined) {
    if (!node.complete) return unknown('Not known: pods are missing from the data of this node.');
    const blind = before.filter(({ candidate }) => candidate.usage === undefined).length;
    return unknown(
      `Not known: ${count(blind, 'pod')} before it ${blind === 1 ? 'has' : 'have'} no memory figures, so nobody can say what evicting ${blind === 1 ? 'it' : 'them'} would give back.`,
    );
  }
  return { bytes, sentence: sentenceOf({ bytes, before: before.length, headroomBytes: node.headroomBytes }) };
}

function sentenceOf(facts: {
  readonly bytes: number;
  readonly before: number;
  readonly headroomBytes: number;
}): string {
  const { bytes, before, headroomBytes } = facts;
  const freed = before === 0 ? '' : ` once ${podsBefore(before)} ${before === 1 ? 'is' : 'are'} gone`;
  if (bytes === 0) {
    return `Nothing is left: the node is at its eviction threshold or below it${before === 0 ? '' : `, even${freed}`}.`;
  }
  if (before === 0) {
    return `The node can lose another ${size(bytes)} of free memory before the kubelet takes this pod: all that it has above its eviction threshold.`;
  }
  const start =
    headroomBytes < 0
      ? `the node is ${size(headroomBytes)} below its eviction threshold now`
      : `the node has ${size(headroomBytes)} above its eviction threshold now`;
  return `The node can lose another ${size(bytes)} of free memory before the kubelet takes this pod: ${start}, and ${podsBefore(before)} would give back ${size(bytes - headroomBytes)}.`;
}

function podsBefore(before: number): string {
  return before === 1 ? 'the pod before it' : `the ${before} pods before it`;
}
