import { metrics } from '../outputs/metrics/catalogue.ts';
import type { Parameters } from './parameters.ts';
import { maxBy, nodeKey, ours } from './promql.ts';
import type { AlertDefinition } from './rule.ts';
import { formatBytes, listOf, rankNode, theNode, value } from './wording.ts';

/** Alerts about the memory of nodes. */
export function nodeAlerts(parameters: Parameters): readonly AlertDefinition[] {
  return [nodeThresholdPredicted(parameters), nodeUnderMemoryPressure(parameters)];
}

/**
 * Two trends must agree: that of the hour gives the time left, that of the last 10 minutes, shorter than `for`,
 * keeps the alert silent after a single step down. Both read a subquery over the merged series, so that neither a
 * second replica nor a restart of the service (a new `instance`) cuts the trend.
 */
function nodeThresholdPredicted(parameters: Parameters): AlertDefinition {
  const { trendSeconds, trendHeadroomShare } = parameters;
  const headroom = maxBy(nodeKey, ours(parameters, metrics.nodeEvictionHeadroom));
  const allocatable = maxBy(nodeKey, ours(parameters, metrics.nodeMemoryAllocatable));
  return {
    alert: 'EvictrankNodeThresholdPredicted',
    about: 'node',
    severity: 'warning',
    expr: `(
  ${headroom} / -deriv(${headroom}[1h:1m]) > 0
) < ${trendSeconds}
and on (${nodeKey})
predict_linear(${headroom}[10m:1m], ${trendSeconds}) < 0
and on (${nodeKey})
count_over_time(${headroom}[1h:1m]) >= 30
and on (${nodeKey})
${headroom} > 0
and on (${nodeKey})
${headroom} / ${allocatable} < ${trendHeadroomShare}`,
    for: '15m',
    keepFiringFor: '10m',
    summary: 'A node will cross its eviction threshold soon if its memory use keeps growing.',
    description: `${theNode} reaches its eviction threshold in ${value.duration} if memory goes on falling as in the last hour. Find the pods that grow with ${rankNode} and move or restart one before the kubelet chooses.`,
  };
}

function nodeUnderMemoryPressure(parameters: Parameters): AlertDefinition {
  const { pressureHeadroomBytes } = parameters;
  const rank = ours(
    parameters,
    metrics.podEvictionRiskRank,
    'basis="now"',
    'cluster=<cluster>',
    'node=<node>',
  );
  const nextPods = listOf(`sort(bottomk(3, max by (namespace, pod) (${rank})))`, {
    each: '{{ $found.Labels.namespace }}/{{ $found.Labels.pod }}',
    otherwise: 'unknown',
  });
  const limit =
    pressureHeadroomBytes === 0
      ? 'its eviction threshold'
      : `the level ${formatBytes(pressureHeadroomBytes)} above its eviction threshold`;
  return {
    alert: 'EvictrankNodeUnderMemoryPressure',
    about: 'node',
    severity: 'critical',
    expr: `${pressureHeadroomBytes} - ${maxBy(nodeKey, ours(parameters, metrics.nodeEvictionHeadroom))} > 0`,
    // The kubelet looks every 10 s and takes a pod each time: pressure that lasts is pressure it cannot relieve.
    for: '2m',
    keepFiringFor: '5m',
    summary: 'A node is below its memory eviction threshold and the kubelet is evicting pods.',
    description: `${theNode} is ${value.bytes} below ${limit}. The next pods to go: ${nextPods}. Free memory now: cordon the node, then delete or scale down a pod you can spare; \`evictrank simulate --node {{ $labels.node }}\` shows where the evictions end.`,
  };
}
