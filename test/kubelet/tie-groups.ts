import { compareText } from '../../src/foundation/text-order.ts';
import type { Amount } from '../../src/kubelet/amount.ts';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import type { RankedCandidate } from '../../src/kubelet/rank.ts';

/** Names in eviction order, those of one rank together and sorted, as the oracle writes them. */
export function tieGroups(ranked: readonly RankedCandidate<EvictionCandidate<Amount>>[]): string[][] {
  const groups: string[][] = [];
  ranked.forEach(({ candidate, standing }, index) => {
    const group = groups.at(-1);
    if (group !== undefined && standing.rank === ranked[index - 1]?.standing.rank) group.push(candidate.name);
    else groups.push([candidate.name]);
  });
  return groups.map((group) => group.toSorted(compareText));
}
