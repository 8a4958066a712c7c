/** The kubelet's own order, from its log, beside ours. */

import { compareOrder } from '../kubelet/order-comparison.ts';
import type { RankedCandidate } from '../kubelet/rank.ts';
import { type LoggedPod, parseRankedLogLine } from '../kubelet/ranked-log-line.ts';
import type { RankedNode, Snapshot } from '../snapshot/snapshot.ts';
import { type Comparison, explainOrder } from './comparison.ts';
import { isRanked, type PodCandidate, rankNodeAgain } from './ranking.ts';
import { whyIncomplete } from './summary.ts';
import { count, enumerate, ordinal } from './wording.ts';

export interface LoggedName {
  readonly namespace: string;
  readonly pod: string;
}

/** Where two orders part. */
export interface Parting {
  /** Place among the evictable pods both know; 1 = first. */
  readonly place: number;
  readonly kubelet: LoggedName;
  readonly ours: LoggedName;
  /** The comparator by which ours goes before the kubelet's, with the figures of the snapshot. */
  readonly decidedBy: Comparison['decidedBy'];
  readonly sentence: string;
}

export interface OrderMeaning {
  readonly cluster: string | undefined;
  readonly node: string;
  /** Evictable pods that are both in the log and on the node. */
  readonly compared: number;
  /** How many of those agree, from the front. */
  readonly agreed: number;
  readonly parting: Parting | undefined;
  /** As namespace/name: in the log but not on the node any more, and the other way round. */
  readonly onlyLogged: readonly string[];
  readonly onlyRanked: readonly string[];
}

export interface RankedLogMeaning {
  readonly kind: 'ranked_pods';
  readonly summary: string;
  /** The kubelet's order, first evicted first; protected pods are among them. */
  readonly pods: readonly LoggedName[];
  /** undefined where no ranked node holds any of these pods. */
  readonly comparison: OrderMeaning | undefined;
}

/**
 * Explains the first `pods ranked for eviction` line of a text; undefined where there is none.
 * @param nodes the node it comes from, or all nodes: then the one that holds most of these pods is taken.
 */
export function explainRankedLog(text: string, nodes: Snapshot['nodes']): RankedLogMeaning | undefined {
  const logged = firstRankedLine(text);
  if (logged === undefined) return undefined;
  const pods = logged.map(({ namespace, name }) => ({ namespace, pod: name }));
  const head = `The kubelet listed ${count(logged.length, 'pod')} in the order in which it would evict them`;
  const first = logged[0] === undefined ? '' : `, ${fullName(logged[0])} first`;
  const node = nodeOf(logged, nodes);
  if (node === undefined) {
    return { kind: 'ranked_pods', summary: `${head}${first}.`, pods, comparison: undefined };
  }
  if (!isRanked(node)) {
    return {
      kind: 'ranked_pods',
      summary: `${head}${first}. It cannot be compared: ${whyIncomplete(node)}.`,
      pods,
      comparison: undefined,
    };
  }
  const comparison = compareWith(node, logged);
  return { kind: 'ranked_pods', summary: `${head}${first}. ${verdict(comparison)}`, pods, comparison };
}

function firstRankedLine(text: string): readonly LoggedPod[] | undefined {
  for (const line of text.split('\n')) {
    const logged = parseRankedLogLine(line);
    if (logged !== undefined) return logged;
  }
  return undefined;
}

function nodeOf(logged: readonly LoggedPod[], nodes: readonly RankedNode[]): RankedNode | undefined {
  const names = new Set(logged.map(fullName));
  let best: { node: RankedNode; shared: number } | undefined;
  for (const node of nodes) {
    const shared = node.pods.filter(({ pod }) => names.has(fullName(pod))).length;
    if (shared > (best?.shared ?? 0)) best = { node, shared };
  }
  return best?.node;
}

function compareWith(node: RankedNode, logged: readonly LoggedPod[]): OrderMeaning {
  const order = rankNodeAgain(node, 'now');
  const { agreed, parting, onlyLogged, onlyRanked } = compareOrder(logged, order);
  const isEvictable = ({ standing }: RankedCandidate<PodCandidate>) => standing.rank !== undefined;
  return {
    cluster: node.node.cluster,
    node: node.node.name,
    compared: order.filter(isEvictable).length - onlyRanked.length,
    agreed,
    parting:
      parting === undefined
        ? undefined
        : describeParting(agreed + 1, parting.kubelet.candidate, parting.ours.candidate),
    onlyLogged: onlyLogged.map(fullName),
    onlyRanked: onlyRanked.map(({ candidate }) => fullName(candidate)),
  };
}

function describeParting(place: number, kubelet: PodCandidate, ours: PodCandidate): Parting {
  const { decidedBy, sentence } = explainOrder(ours, kubelet);
  return {
    place,
    kubelet: { namespace: kubelet.namespace, pod: kubelet.name },
    ours: { namespace: ours.namespace, pod: ours.name },
    decidedBy,
    sentence: `In ${ordinal(place)} place the kubelet had ${fullName(kubelet)}, this ranking has ${fullName(ours)}. By the figures here, ${sentence}`,
  };
}

/** What most likely lies behind a difference, by the comparator it hangs on. */
const likelyCauses: Readonly<Record<Comparison['decidedBy'], string>> = {
  no_stats: 'the kubelet had figures that did not reach Prometheus, or has lost them since',
  exceeds_request: 'their usage has changed since, or a request is not the one the kubelet goes by',
  priority:
    'their usage has changed since, so that they were not on the same side of their requests then; or a priority here is not the one of the pod',
  over_request: 'their usage has changed since',
};

function verdict({ node, compared, agreed, parting, onlyLogged, onlyRanked }: OrderMeaning): string {
  const order =
    parting === undefined
      ? `This ranking of ${node} has the ${count(compared, 'pod')} that both know in the same order.`
      : `This ranking of ${node} agrees on ${agreed === 0 ? 'none' : `the first ${agreed}`} of the ${count(compared, 'pod')} that both know. ${parting.sentence} Most likely ${likelyCauses[parting.decidedBy]}.`;
  const gone = onlyLogged.length === 0 ? '' : ` No longer on the node: ${enumerate(onlyLogged)}.`;
  const added = onlyRanked.length === 0 ? '' : ` Not in the log: ${enumerate(onlyRanked)}.`;
  return `${order}${gone}${added}`;
}

function fullName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
