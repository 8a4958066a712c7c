/** The one plain sentence an explanation starts with. */
import type { ComparatorGroup } from '../kubelet/candidate.ts';
import { SYSTEM_CRITICAL_PRIORITY } from '../kubelet/critical.ts';
import type { RankedNode, RankedPod } from '../snapshot/snapshot.ts';
import { type Competition, describeCompetition } from './competition.ts';
import type { NodeOrder } from './ranking.ts';
import { count, enumerate, ordinalWord, size } from './wording.ts';

/** @param order basis now; undefined where the node is not ranked. */
export function summarize(ranked: RankedPod, node: RankedNode, order: NodeOrder | undefined): string {
  if (order === undefined) return `Not ranked: ${whyIncomplete(node)}.`;
  const competition = describeCompetition(
    order,
    order.findIndex(({ candidate }) => candidate.ranked === ranked),
  );
  if (competition === undefined) return `Never evicted: ${whyProtected(ranked)}.`;
  const reason = competition.rank === 1 ? whyFirst(competition) : whyNotFirst(competition);
  return `${headOf(competition, node.node.name)}: ${groupClause(ranked, competition.group)}${reason}.`;
}

export function whyIncomplete({ node, pods }: RankedNode): string {
  if (!node.hasUsageData) {
    return `no pod on ${node.name} has a known memory usage, so the figures of the whole node are missing and any order would be a guess`;
  }
  if (node.podsWithLostSamples > 0) {
    return `what is said of ${count(node.podsWithLostSamples, 'pod')} on ${node.name} is NaN, infinite or too large to be true, so any order would be a guess`;
  }
  const unknown = pods.filter(({ pod }) => pod.requestBytes === undefined).length;
  return `the memory request of ${count(unknown, 'pod')} on ${node.name} is not known, so any order would be a guess`;
}

export function whyProtected({ pod }: RankedPod): string {
  if (pod.isStatic) return 'it is a static pod, run by the node itself, and the kubelet skips those';
  const name = pod.priorityClass === undefined ? '' : ` (${pod.priorityClass})`;
  return `its priority ${pod.priority}${name} is ${SYSTEM_CRITICAL_PRIORITY} or more, and the kubelet skips such pods`;
}

function headOf({ rank, rankedPods, tiedWith }: Competition, node: string): string {
  if (rankedPods === 1) return `The only pod on ${node} that the kubelet could evict`;
  const place = rank === rankedPods ? 'Last' : ordinalWord(rank);
  const shared = tiedWith === 0 ? '' : ` (a place it shares with ${count(tiedWith, 'other')})`;
  return `${place} of ${rankedPods} on ${node}${shared}`;
}

function groupClause({ pod, now }: RankedPod, group: ComparatorGroup): string {
  const { usageBytes = 0, overRequestBytes = 0 } = now;
  if (group === 'no_stats') {
    const why = pod.phase === 'Pending' ? 'it has not started, so there are' : 'there are';
    return `${why} no memory figures for it, and the kubelet takes such pods first`;
  }
  if (group === 'within_request') {
    return overRequestBytes === 0 ? 'it uses no more than its request' : 'it is under its request';
  }
  return pod.requestBytes === 0
    ? `it requests no memory, so all of the ${size(usageBytes)} it uses is over its request`
    : `it uses ${size(overRequestBytes)} more than the ${size(pod.requestBytes ?? 0)} it requests`;
}

/** What it has to be, among equals, to go first. */
const extremes: Readonly<Record<ComparatorGroup, string>> = {
  no_stats: '',
  exceeds_request: ' and none of the others with that priority is further over its request',
  within_request: ' and none of the others with that priority is closer to its request',
  protected: '',
};

function whyFirst({ group, rankedPods, inGroup, othersAtSamePriority }: Competition): string {
  if (rankedPods === 1) return '';
  if (inGroup === 1) {
    return group === 'no_stats' ? ', and it is the only one there' : ', and no other pod there does that';
  }
  const start = group === 'within_request' ? ', but no pod there is over its request, and' : ', and';
  if (othersAtSamePriority === 0) {
    return `${start} of ${members(group, inGroup)} it has the lowest priority`;
  }
  return `${start} of ${members(group, inGroup)} none has a lower priority${extremes[group]}`;
}

function whyNotFirst(competition: Competition): string {
  const { group, inGroup, lowerInGroup, lowerOnNode } = competition;
  let still = '';
  if (group === 'within_request' && lowerInGroup === 0) {
    if (lowerOnNode === 0) still = ', but no other pod there has a lower priority';
    else if (inGroup > 1) still = ', but no other pod within its request has a lower priority';
  }
  return `${still}; before it ${goBefore(competition)}`;
}

/** All who go before it, so that the numbers add up to its rank. */
function goBefore(competition: Competition): string {
  const { group, noStatsBefore, exceedingBefore, lowerInGroup, aheadAtSamePriority, rank } = competition;
  const further = group === 'exceeds_request' ? 'further over' : 'closer to';
  const parts = [
    noStatsBefore > 0 ? members('no_stats', noStatsBefore) : '',
    exceedingBefore > 0 ? members('exceeds_request', exceedingBefore) : '',
    lowerInGroup > 0 ? `${members(group, lowerInGroup)} with a lower priority` : '',
    aheadAtSamePriority > 0
      ? `${count(aheadAtSamePriority, 'pod')} of the same priority ${further} ${aheadAtSamePriority === 1 ? 'its' : 'their'} request`
      : '',
  ].filter((part) => part !== '');
  return `${rank === 2 ? 'goes' : 'go'} ${enumerate(parts)}`;
}

/** `2 pods over their request`. */
function members(group: ComparatorGroup, number: number): string {
  const whose = number === 1 ? 'its' : 'their';
  const traits: Readonly<Record<ComparatorGroup, string>> = {
    no_stats: 'without memory figures',
    exceeds_request: `over ${whose} request`,
    within_request: `within ${whose} request`,
    protected: 'that are never evicted',
  };
  return `${count(number, 'pod')} ${traits[group]}`;
}
