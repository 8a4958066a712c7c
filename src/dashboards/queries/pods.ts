import { type MetricFamily, metrics } from '../../outputs/metrics/catalogue.ts';
import type { Basis } from '../../snapshot/snapshot.ts';
import { keys, one, select, where, withLabels } from './selector.ts';

/** One value a pod. */
export function podValue(family: MetricFamily, ...matchers: readonly string[]): string {
  return one(keys.pod, select(family, ...matchers));
}

const onBasis = (basis: Basis): string => `basis="${basis}"`;

export function podOnBasis(family: MetricFamily, basis: Basis, ...matchers: readonly string[]): string {
  return podValue(family, ...matchers, onBasis(basis));
}

export function rank(basis: Basis, matchers: string): string {
  return podOnBasis(metrics.podEvictionRiskRank, basis, matchers);
}

/** Adds the label `group`, the comparator group on the basis. */
export function withGroup(vector: string, basis: Basis, matchers: string): string {
  return withLabels(vector, {
    key: keys.pod,
    labels: 'group',
    source: select(metrics.podComparatorGroup, matchers, onBasis(basis)),
  });
}

/** Adds what is known of the pod as labels. */
export function withInfo(vector: string, matchers: string, labels: string = 'qos_class, priority'): string {
  return withLabels(vector, { key: keys.pod, labels, source: select(metrics.podInfo, matchers) });
}

/** Pods the kubelet never evicts: static, mirror or critical by priority. */
export function protectedPods(matchers: string): string {
  return podOnBasis(metrics.podComparatorGroup, 'now', matchers, 'group="protected"');
}

/** The pods that the least loss of available memory would evict, over all nodes. */
const nearestPods: string = `bottomk(100, ${podValue(metrics.podEvictionDistance, where.pods)})`;

export const nearest = {
  distance: withInfo(withGroup(nearestPods, 'now', where.pods), where.pods),
  /** A pod value, for the nearest pods only. */
  only: (vector: string): string => `${vector} and on (${keys.pod}) ${nearestPods}`,
} as const;

/** A pod value, for the pods that have a rank: all but the protected ones. */
export function rankedOnly(vector: string, matchers: string): string {
  return `${vector} and on (${keys.pod}) ${rank('now', matchers)}`;
}
