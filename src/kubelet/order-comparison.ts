import type { Amount } from './amount.ts';
import type { EvictionCandidate } from './candidate.ts';
import type { RankedCandidate } from './rank.ts';
import type { LoggedPod } from './ranked-log-line.ts';

type Candidate = EvictionCandidate<Amount>;

/** How the kubelet's logged order and ours agree. */
export interface OrderComparison<T extends Candidate> {
  /** Evictable pods that both know, from the front, before they part. */
  readonly agreed: number;
  /** Where they part: whom the kubelet put there, and whom we did. undefined = they agree to the end. */
  readonly parting: { readonly kubelet: RankedCandidate<T>; readonly ours: RankedCandidate<T> } | undefined;
  readonly onlyLogged: readonly LoggedPod[];
  /** Evictable pods of ours that the log does not name. */
  readonly onlyRanked: readonly RankedCandidate<T>[];
}

/**
 * Compares the order of a log line with our ranking of the same node. Protected pods are left out, for the kubelet
 * logs them in their place and skips them later; pods that share a rank may come in any order.
 */
export function compareOrder<T extends Candidate>(
  logged: readonly LoggedPod[],
  ranked: readonly RankedCandidate<T>[],
): OrderComparison<T> {
  const byKey = new Map(ranked.map((one) => [podKey(one.candidate), one]));
  const loggedKeys = new Set(logged.map(podKey));
  const theirs = logged.flatMap((pod) => byKey.get(podKey(pod)) ?? []).filter(isEvictable);
  const ours = ranked.filter((one) => isEvictable(one) && loggedKeys.has(podKey(one.candidate)));
  const agreed = ours.findIndex((one, index) => one.standing.rank !== theirs[index]?.standing.rank);
  const [kubelet, our] = [theirs[agreed], ours[agreed]];
  return {
    agreed: agreed < 0 ? ours.length : agreed,
    parting: kubelet !== undefined && our !== undefined ? { kubelet, ours: our } : undefined,
    onlyLogged: logged.filter((pod) => !byKey.has(podKey(pod))),
    onlyRanked: ranked.filter((one) => isEvictable(one) && !loggedKeys.has(podKey(one.candidate))),
  };
}

function isEvictable({ standing }: RankedCandidate<Candidate>): boolean {
  return standing.rank !== undefined;
}

function podKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
