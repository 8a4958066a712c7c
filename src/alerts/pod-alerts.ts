import { metrics } from '../outputs/metrics/catalogue.ts';
import type { Parameters } from './parameters.ts';
import { integersFrom } from './priority-pattern.ts';
import { maxBy, nodeKey, ours, podKey, quote, watchedNamespaces } from './promql.ts';
import type { AlertDefinition } from './rule.ts';
import { explainPod, formatShare, rankNode, thePod, value } from './wording.ts';

/** Alerts about pods in the eviction order, most useful first. */
export function podAlerts(parameters: Parameters): readonly AlertDefinition[] {
  return [
    podOverRequest(parameters),
    podNextToGo(parameters),
    guaranteedPodRankedFirst(parameters),
    importantPodExceedsRequest(parameters),
    bestEffortPodInProtectedNamespace(parameters),
  ];
}

function podOverRequest(parameters: Parameters): AlertDefinition {
  const { peakRatio, timeOverShare } = parameters;
  const watched = watchedNamespaces(parameters);
  return {
    alert: 'EvictrankPodOverRequest',
    about: 'pod',
    severity: 'warning',
    expr: `${maxBy(podKey, ours(parameters, metrics.podMemoryUsageRequestRatio, 'basis="peak"', watched))} > ${peakRatio}
and on (${podKey})
${maxBy(podKey, ours(parameters, metrics.podTimeOverRequest, watched))} > ${timeOverShare}`,
    for: '30m',
    keepFiringFor: '15m',
    summary: 'A pod uses more memory than it requests for a good share of the window.',
    description: `${thePod} peaked at ${value.share} of its memory request and was above the request in more than ${formatShare(timeOverShare)} of the observed hours: whenever it is, it is evicted before every pod that stays within its request. Raise the request to what \`evictrank review\` recommends, or find out with ${explainPod} why it grew.`,
  };
}

function podNextToGo(parameters: Parameters): AlertDefinition {
  const { distanceBytes, headroomShare } = parameters;
  const distance = ours(parameters, metrics.podEvictionDistance, watchedNamespaces(parameters));
  return {
    alert: 'EvictrankPodNextToGo',
    about: 'pod',
    severity: 'warning',
    expr: `${maxBy(podKey, distance)} < ${distanceBytes}
and on (${nodeKey})
${maxBy(nodeKey, ours(parameters, metrics.nodeEvictionHeadroom))}
  / ${maxBy(nodeKey, ours(parameters, metrics.nodeMemoryAllocatable))} < ${headroomShare}`,
    for: '5m',
    keepFiringFor: '10m',
    summary: 'A pod is about to be evicted because its node is nearly out of memory.',
    description: `${thePod} is evicted once the node has lost another ${value.bytes} of memory; the node has less than ${formatShare(headroomShare)} of its allocatable memory left above the eviction threshold. See the order with ${rankNode}, then move pods off the node or raise the request of this one.`,
  };
}

function guaranteedPodRankedFirst(parameters: Parameters): AlertDefinition {
  const { guaranteedRank } = parameters;
  const rank = (...matchers: string[]) =>
    ours(parameters, metrics.podEvictionRiskRank, 'basis="now"', ...matchers);
  const info = (matcher: string) => ours(parameters, metrics.podInfo, matcher);
  return {
    alert: 'EvictrankGuaranteedPodRankedFirst',
    about: 'pod',
    severity: 'info',
    expr: `(
  ${maxBy(podKey, rank(watchedNamespaces(parameters)))} <= ${guaranteedRank}
  and on (${podKey})
  ${info('qos_class="Guaranteed"')}
)
< on (${nodeKey}) group_left ()
max by (${nodeKey}) (
  ${rank()}
  and on (${podKey})
  ${info('qos_class=~"Burstable|BestEffort"')}
)`,
    for: '1h',
    keepFiringFor: '30m',
    summary: 'A Guaranteed pod would be evicted before a Burstable or BestEffort one.',
    description: `${thePod} is Guaranteed and yet number ${value.number} in the eviction order, before pods of a lower QoS class: the kubelet compares priority and usage over request, never the class. Give it a higher priority class; ${explainPod} names the comparator that decided.`,
  };
}

function importantPodExceedsRequest(parameters: Parameters): AlertDefinition {
  const { highPriority } = parameters;
  const watched = watchedNamespaces(parameters);
  return {
    alert: 'EvictrankImportantPodExceedsRequest',
    about: 'pod',
    severity: 'warning',
    expr: `${maxBy(podKey, ours(parameters, metrics.podMemoryOverRequest, 'basis="now"', watched))}
and on (${podKey})
${ours(parameters, metrics.podComparatorGroup, 'basis="now"', 'group="exceeds_request"', watched)} == 1
and on (${podKey})
${ours(parameters, metrics.podInfo, `priority=~${quote(integersFrom(highPriority))}`, watched)}`,
    for: '15m',
    keepFiringFor: '15m',
    summary: 'A pod of high priority is in the group that is evicted first.',
    description: `${thePod} has a priority of ${highPriority} or more but uses ${value.bytes} above its memory request, so the kubelet takes it before every pod within its request, whatever their priority. Raise its request; ${explainPod} shows by how much.`,
  };
}

function bestEffortPodInProtectedNamespace(parameters: Parameters): AlertDefinition {
  const inProtected = `namespace=~${quote(parameters.protectedNamespaces)}`;
  return {
    alert: 'EvictrankBestEffortPodInProtectedNamespace',
    about: 'pod',
    severity: 'warning',
    expr: `${maxBy(podKey, ours(parameters, metrics.podEvictionRiskRank, 'basis="now"', inProtected))}
and on (${podKey})
${ours(parameters, metrics.podInfo, 'qos_class="BestEffort"', inProtected)}`,
    for: '15m',
    keepFiringFor: '15m',
    summary: 'A pod in a protected namespace has no memory request and can be evicted.',
    description: `${thePod} is BestEffort and number ${value.number} in the eviction order: without a request any usage exceeds it. Set a memory request (\`evictrank review\` recommends one), or a system priority class if it must never be evicted.`,
  };
}
