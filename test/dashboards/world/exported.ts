import { metrics } from '../../../src/outputs/metrics/catalogue.ts';
import type { Basis } from '../../../src/snapshot/snapshot.ts';
import { evictedPods, type WorldPod, worldNodes, worldPods } from './pods.ts';
import { availableBytes, distancesOn, peakBytes, rankedOn, usageOnBasis } from './ranked.ts';
import type { Add } from './series.ts';

const bases = ['now', 'peak'] as const satisfies readonly Basis[];
/** Hour of the evictions; the series of the evicted pods end there. */
export const evictionHour = 1;

function podLabels({ namespace, name, node }: { namespace: string; name: string; node: string }) {
  return { namespace, pod: name, node };
}

function addPodInputs(pod: WorldPod, hours: number, add: Add): void {
  const labels = podLabels(pod);
  add(metrics.podMemoryUsage.name, labels, pod.usageBytes(hours));
  add(metrics.podMemoryPeak.name, labels, peakBytes(pod, hours));
  add(metrics.podMemoryRequest.name, labels, pod.requestBytes);
  add(metrics.podTimeOverRequest.name, labels, (peakBytes(pod, hours) ?? 0) > pod.requestBytes ? 0.4 : 0);
  add(
    metrics.podInfo.name,
    {
      ...labels,
      uid: `uid-${pod.name}`,
      qos_class: pod.qosClass,
      priority: String(pod.priority),
      priority_class: pod.priorityClass,
      workload_kind: pod.workloadKind,
      workload: pod.workload,
    },
    1,
  );
}

function addOrder(node: string, basis: Basis, hours: number, add: Add): void {
  for (const { candidate, standing } of rankedOn(node, basis, hours)) {
    const labels = { ...podLabels(candidate.pod), basis };
    add(metrics.podEvictionRiskRank.name, labels, standing.rank);
    add(metrics.podComparatorGroup.name, { ...labels, group: standing.group }, 1);
    const usage = usageOnBasis(candidate.pod, basis, hours);
    if (usage === undefined) continue;
    add(metrics.podMemoryOverRequest.name, labels, usage - candidate.request);
    if (candidate.request > 0)
      add(metrics.podMemoryUsageRequestRatio.name, labels, usage / candidate.request);
  }
}

function addNode(node: (typeof worldNodes)[number], hours: number, add: Add): void {
  const labels = { node: node.name };
  add(metrics.nodeComplete.name, labels, Number(node.complete));
  add(metrics.nodeMemoryAllocatable.name, labels, node.allocatableBytes);
  if (!node.complete) return;
  const pods = worldPods.filter((pod) => pod.node === node.name);
  const available = availableBytes(node, hours);
  add(metrics.nodeMemoryAvailable.name, labels, available);
  add(metrics.nodeEvictionThreshold.name, labels, node.thresholdBytes);
  add(metrics.nodeEvictionHeadroom.name, labels, available - node.thresholdBytes);
  add(
    metrics.nodeMemoryRequests.name,
    labels,
    pods.reduce((sum, pod) => sum + pod.requestBytes, 0),
  );
  add(
    metrics.nodeMemoryPeak.name,
    labels,
    pods.reduce((sum, pod) => sum + (peakBytes(pod, hours) ?? 0), 0),
  );
  add(metrics.nodeQosOrderInversions.name, labels, node.name === 'worker-2' ? 1 : 0);
  const distances = distancesOn(node, hours);
  const counts = new Map<string, number>();
  for (const [i, { candidate, standing }] of rankedOn(node.name, 'now', hours).entries()) {
    add(metrics.podEvictionDistance.name, podLabels(candidate.pod), distances[i]);
    const key = `${standing.group} ${candidate.pod.qosClass}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts) {
    const [group = '', qosClass = ''] = key.split(' ');
    add(metrics.nodePods.name, { ...labels, group, qos_class: qosClass }, count);
  }
  for (const basis of bases) addOrder(node.name, basis, hours, add);
}

function addWorkloads(hours: number, add: Add): void {
  const seen = new Map<string, WorldPod[]>();
  for (const pod of worldPods) {
    const key = `${pod.namespace}/${pod.workload}`;
    seen.set(key, [...(seen.get(key) ?? []), pod]);
  }
  for (const [first, ...rest] of seen.values()) {
    if (first === undefined) continue;
    const pods = [first, ...rest];
    const labels = {
      namespace: first.namespace,
      workload_kind: first.workloadKind,
      workload: first.workload,
    };
    const peaks = pods.map((pod) => peakBytes(pod, hours)).filter((peak) => peak !== undefined);
    add(metrics.workloadReplicas.name, labels, pods.length);
    add(metrics.workloadMemoryRequest.name, labels, first.requestBytes);
    if (peaks.length === 0) continue;
    add(metrics.workloadMemoryPeak.name, labels, Math.max(...peaks));
    add(metrics.workloadMemoryRecommendedRequest.name, labels, Math.ceil(Math.max(...peaks) * 1.15));
  }
}

function addPriorities(add: Add): void {
  const counts = new Map<string, number>();
  for (const { priority, priorityClass } of worldPods) {
    const key = `${priority} ${priorityClass}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts) {
    const [priority = '', priorityClass = ''] = key.split(' ');
    add(metrics.priorityPods.name, { priority, priority_class: priorityClass }, count);
  }
}

/** What evictrank exports of the small cluster at a moment. */
export function addExported(hours: number, add: Add): void {
  for (const pod of worldPods) addPodInputs(pod, hours, add);
  for (const node of worldNodes) addNode(node, hours, add);
  if (hours < evictionHour) {
    for (const pod of evictedPods) {
      const labels = { ...podLabels(pod), basis: 'now' };
      add(metrics.podEvictionRiskRank.name, labels, 1);
      add(metrics.podMemoryOverRequest.name, labels, pod.overRequestMi * 1024 * 1024);
    }
  }
  addWorkloads(hours, add);
  addPriorities(add);
}
