import { metrics } from '../outputs/metrics/catalogue.ts';
import type { Parameters } from './parameters.ts';
import { maxBy, nodeKey, ours, podKey, podNameKey, replaceLabel, restoreLabels, theirs } from './promql.ts';
import type { AlertDefinition } from './rule.ts';
import { listOf, rankNode, theNode, thePod, value } from './wording.ts';

/** Alerts about what has happened already: no `for`, the expression looks back over 15 minutes. */
export function eventAlerts(parameters: Parameters): readonly AlertDefinition[] {
  return [podsEvicted(parameters), podOomKilledWithoutPressure(parameters)];
}

/**
 * The counter of a signal is born with its first eviction, so `increase` alone misses that one: a series that was
 * not there 15 minutes ago counts in full, provided its kubelet was scraped then (else its past is unknown).
 */
function podsEvicted(parameters: Parameters): AlertDefinition {
  const counter = theirs(
    parameters,
    'kubelet_evictions',
    'eviction_signal=~"memory.available|allocatableMemory.available"',
  );
  const bornSince = `${counter} unless ${counter} offset 15m`;
  const scrapedThen = `${theirs(parameters, 'up')} offset 15m == 1`;
  const evictions = `${bornSince} and on (${parameters.clusterLabel}, job, instance) ${scrapedThen} or increase(${counter}[15m])`;
  const onNodes = restoreLabels(parameters, [], replaceLabel(evictions, 'node', parameters.kubeletNodeLabel));
  return {
    alert: 'EvictrankPodsEvicted',
    about: 'node',
    severity: 'warning',
    expr: `round(sum by (${nodeKey}) (
  max by (${nodeKey}, eviction_signal) (
    ${onNodes}
  )
)) >= ${parameters.evictions}`,
    keepFiringFor: '10m',
    summary: 'The kubelet evicted pods because a node ran out of memory.',
    description: `${theNode} evicted ${value.number} pods for memory in the last 15 minutes. Gone: ${evictedPods(parameters)}. See who is next with ${rankNode} and raise the requests of the pods that exceed them; \`evictrank explain-message\` reads the message an evicted pod leaves behind.`,
  };
}

/**
 * Pods whose reason became `Evicted` in the last 15 minutes, with the class the service knew them by: it drops
 * finished pods, and a DaemonSet's are deleted at once, hence the look-back on both sides.
 */
function evictedPods(parameters: Parameters): string {
  const known = ours(parameters, metrics.podInfo, 'cluster=<cluster>', 'node=<node>');
  const reason = theirs(parameters, 'kube_pod_status_reason', 'reason="Evicted"');
  const evicted = (expression: string) => restoreLabels(parameters, ['namespace', 'pod'], expression);
  const query = `max by (namespace, pod, qos_class) (last_over_time(${known}[1h]) and on (${podNameKey}) (${evicted(`max_over_time(${reason}[15m])`)} == 1 unless on (${podNameKey}) ${evicted(`${reason} offset 15m`)} == 1))`;
  return listOf(query, {
    each: '{{ $found.Labels.namespace }}/{{ $found.Labels.pod }} ({{ $found.Labels.qos_class }})',
    otherwise: 'no pod known so far',
    sortedBy: 'pod',
  });
}

/**
 * Node and headroom come first and the kills are only matched against them: a set operation cannot fail on a pod
 * seen on two nodes for a moment. A node that was below its threshold at any time, or of which nothing is known,
 * is left out: there the kernel may have been faster than the kubelet.
 */
function podOomKilledWithoutPressure(parameters: Parameters): AlertDefinition {
  const containerKey = `${podNameKey}, container`;
  const restored = (expression: string) =>
    restoreLabels(parameters, ['namespace', 'pod', 'container'], expression);
  const restarts = theirs(parameters, 'kube_pod_container_status_restarts_total');
  const killed = theirs(parameters, 'kube_pod_container_status_last_terminated_reason', 'reason="OOMKilled"');
  const headroom = ours(parameters, metrics.nodeEvictionHeadroom);
  return {
    alert: 'EvictrankPodOomKilledWithoutPressure',
    about: 'pod',
    severity: 'warning',
    expr: `${maxBy(podKey, ours(parameters, metrics.podInfo))}
  * on (${nodeKey}) group_left ()
(min by (${nodeKey}) (min_over_time(${headroom}[15m])) > 0)
and on (${podNameKey})
(
  max by (${containerKey}) (
    ${restored(`increase(${restarts}[15m])`)}
  ) >= ${parameters.oomKills}
  and on (${containerKey})
  ${restored(killed)} == 1
)`,
    keepFiringFor: '10m',
    summary: 'A container was OOM-killed although its node had memory to spare.',
    description: `${thePod} had a container killed by the kernel while the node never had less than ${value.bytes} above its eviction threshold in the last 15 minutes: this is no eviction, the container hit its own memory limit. Raise the limit or fix the leak; see \`kubectl describe pod --namespace {{ $labels.namespace }} {{ $labels.pod }}\`.`,
  };
}
