import type { DecidedBy, EvictionCandidate } from '../kubelet/candidate.ts';
import { memoryPolicy } from '../kubelet/policies.ts';
import { decidingCriterion } from '../kubelet/rank.ts';
import type { NodeOrder, PodCandidate } from './ranking.ts';
import { nameOf } from './ranking.ts';
import { sizesApart } from './wording.ts';

/** What the kubelet compares of a pod, in its order. */
export interface ComparedValues {
  /** undefined = no stats. */
  readonly exceedsRequest: boolean | undefined;
  readonly priority: number;
  /** usage − request, may be negative; undefined = no stats. */
  readonly overRequestBytes: number | undefined;
}

/** A pod against the one next to it in the order. */
export interface Comparison {
  /** Where the other one stands. */
  readonly other: 'before' | 'after';
  readonly namespace: string;
  readonly pod: string;
  readonly rank: number | undefined;
  /** The first of the kubelet's comparators that tells the two apart. */
  readonly decidedBy: Exclude<DecidedBy, 'tie'>;
  readonly own: ComparedValues;
  readonly others: ComparedValues;
  readonly sentence: string;
}

export interface Neighbourhood {
  /** The last pod of the next lower rank and the first of the next higher one: those that tie are told apart from neither. */
  readonly neighbours: readonly Comparison[];
  /** Names of the pods that share the rank. */
  readonly tiedWith: readonly string[];
}

/** Who stands next to a pod, and why they stand there. A pod without a rank has no neighbours. */
export function findNeighbours(order: NodeOrder, index: number): Neighbourhood {
  const own = order[index];
  const rank = own?.standing.rank;
  if (own === undefined || rank === undefined) return { neighbours: [], tiedWith: [] };
  const evictable = order.filter(({ standing }) => standing.rank !== undefined);
  const before = evictable.findLast(({ standing }) => (standing.rank ?? rank) < rank);
  const after = evictable.find(({ standing }) => (standing.rank ?? rank) > rank);
  return {
    neighbours: [
      before === undefined ? [] : [compare(own.candidate, before, 'before')],
      after === undefined ? [] : [compare(own.candidate, after, 'after')],
    ].flat(),
    tiedWith: evictable
      .filter((other) => other !== own && other.standing.rank === rank)
      .map(({ candidate }) => nameOf(candidate.ranked)),
  };
}

export function comparedValues({ usage, request, priority }: EvictionCandidate): ComparedValues {
  return {
    exceedsRequest: usage === undefined ? undefined : usage > request,
    priority,
    overRequestBytes: usage === undefined ? undefined : usage - request,
  };
}

/** Why `first` goes before `second`. @throws RangeError for a tie: only pods of different ranks can be told apart. */
export function explainOrder(
  first: EvictionCandidate,
  second: EvictionCandidate,
): Pick<Comparison, 'decidedBy' | 'sentence'> {
  const decidedBy = decidingCriterion(first, second, memoryPolicy);
  if (decidedBy === 'tie') throw new RangeError('two pods of different rank compare as equal');
  return { decidedBy, sentence: describe(first, second, decidedBy) };
}

function compare(own: PodCandidate, neighbour: NodeOrder[number], other: 'before' | 'after'): Comparison {
  const [first, second] = other === 'after' ? [own, neighbour.candidate] : [neighbour.candidate, own];
  const { namespace, name } = neighbour.candidate;
  return {
    other,
    namespace,
    pod: name,
    rank: neighbour.standing.rank,
    ...explainOrder(first, second),
    own: comparedValues(own),
    others: comparedValues(neighbour.candidate),
  };
}

type Describer = (pair: {
  readonly a: string;
  readonly b: string;
  readonly first: ComparedValues;
  readonly second: ComparedValues;
}) => string;

/** `a` goes before `b`. */
const describers: Readonly<Record<Comparison['decidedBy'], Describer>> = {
  no_stats: ({ a, b }) =>
    `the kubelet has no memory figures for ${a}, and takes such pods first; it has some for ${b}`,
  exceeds_request: ({ a, b }) => `${a} uses more memory than it requests, ${b} does not`,
  priority: ({ a, first, second }) =>
    `${alike(first)}, so the priority decides: that of ${a} is lower (${first.priority} against ${second.priority})`,
  over_request: ({ a, first, second }) =>
    `${alike(first)} and both have priority ${first.priority}, so the amount decides: ${furtherOver(a, first.overRequestBytes ?? 0, second.overRequestBytes ?? 0)}`,
};

function describe(
  first: EvictionCandidate,
  second: EvictionCandidate,
  decidedBy: Comparison['decidedBy'],
): string {
  const [a, b] = [candidateName(first), candidateName(second)];
  const why = describers[decidedBy]({ a, b, first: comparedValues(first), second: comparedValues(second) });
  return `${a} goes before ${b}: ${why}.`;
}

function candidateName({ namespace, name }: EvictionCandidate): string {
  return `${namespace}/${name}`;
}

/** What two pods that got past the first comparator have in common. */
function alike({ exceedsRequest }: ComparedValues): string {
  if (exceedsRequest === undefined) return 'the kubelet has no memory figures for either';
  return exceedsRequest ? 'both use more than they request' : 'neither uses more than it requests';
}

function furtherOver(name: string, first: number, second: number): string {
  const [firstText, secondText] = sizesApart(first, second);
  if (second > 0) return `${name} is further above its request (${firstText} against ${secondText})`;
  if (first === 0) return `${name} is exactly at its request, the other is ${secondText} below`;
  return `${name} is closer to its request (${firstText} below against ${secondText} below)`;
}
