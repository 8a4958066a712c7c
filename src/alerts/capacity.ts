import { metrics } from '../outputs/metrics/catalogue.ts';
import type { Parameters } from './parameters.ts';
import { integersFrom, protectedPriorities } from './priority-pattern.ts';
import { maxBy, ours, quote, workloadKey } from './promql.ts';

// Expressions that an alert and a recording rule share, so that a panel and an alert cannot disagree.

/** Bytes all live pods of a workload request beyond the recommendation. */
export function workloadWaste(parameters: Parameters, matcher = ''): string {
  const per = (metric: (typeof metrics)[keyof typeof metrics]) =>
    maxBy(workloadKey, ours(parameters, metric, matcher));
  return `(
  ${per(metrics.workloadMemoryRequest)}
  - ${per(metrics.workloadMemoryRecommendedRequest)}
)
* ${per(metrics.workloadReplicas)}`;
}

/**
 * Share of the evictable pods whose priority is high. The highest priority itself cannot be found in PromQL,
 * where a label has no order; from which one on a priority is high is a parameter instead.
 */
export function highPriorityShare(parameters: Parameters): string {
  const isProtected = quote(protectedPriorities);
  const pods = (...matchers: string[]) =>
    `sum by (cluster) (${maxBy('cluster, priority, priority_class', ours(parameters, metrics.priorityPods, ...matchers, `priority!~${isProtected}`))})`;
  return `${pods(`priority=~${quote(integersFrom(parameters.highPriority))}`)}
/ ${pods()}`;
}
