import { metrics } from '../outputs/metrics/catalogue.ts';
import { highPriorityShare, workloadWaste } from './capacity.ts';
import type { Parameters } from './parameters.ts';
import { maxBy, ours, watchedNamespaces, workloadKey } from './promql.ts';
import type { AlertDefinition } from './rule.ts';
import { formatShare, theWorkload, value } from './wording.ts';

/** Alerts about how memory and priorities are handed out. */
export function capacityAlerts(parameters: Parameters): readonly AlertDefinition[] {
  return [workloadRequestWaste(parameters), priorityInflation(parameters)];
}

/** Waits for the window: a peak read from half of it is too low, and waste computed from it too high. */
function workloadRequestWaste(parameters: Parameters): AlertDefinition {
  const { wasteBytes, wasteShare, coverageRatio } = parameters;
  const watched = watchedNamespaces(parameters);
  const request = maxBy(workloadKey, ours(parameters, metrics.workloadMemoryRequest, watched));
  const recommended = maxBy(workloadKey, ours(parameters, metrics.workloadMemoryRecommendedRequest, watched));
  return {
    alert: 'EvictrankWorkloadRequestWaste',
    about: 'workload',
    severity: 'info',
    expr: `${workloadWaste(parameters, watched)} > ${wasteBytes}
and on (${workloadKey})
1 - ${recommended} / ${request} > ${wasteShare}
and on ()
min(${ours(parameters, metrics.windowCoverage)}) >= ${coverageRatio}`,
    for: '6h',
    keepFiringFor: '1h',
    summary: 'A workload requests far more memory than it needed in the whole window.',
    description: `${theWorkload} requests ${value.bytes} more than its pods need, more than ${formatShare(wasteShare)} of the request. Lower the request to what \`evictrank review\` recommends.`,
  };
}

function priorityInflation(parameters: Parameters): AlertDefinition {
  return {
    alert: 'EvictrankPriorityInflation',
    about: 'cluster',
    severity: 'info',
    expr: `${highPriorityShare(parameters)} > ${parameters.highPriorityShare}`,
    for: '6h',
    keepFiringFor: '1h',
    summary: 'Most pods claim a high priority, so priority no longer protects any of them.',
    description: `${value.share} of the evictable pods{{ with $labels.cluster }} of cluster {{ . }}{{ end }} have a priority of ${parameters.highPriority} or more: the kubelet cannot tell the important ones apart by priority. See the classes with \`evictrank review\` and keep the high ones for the few that need them.`,
  };
}
