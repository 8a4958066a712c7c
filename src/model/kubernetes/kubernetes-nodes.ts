import { quantityToNumber } from '../../foundation/quantity.ts';
import { compareText } from '../../foundation/text-order.ts';
import type { KubernetesNode } from '../../inputs/kubernetes/node-object.ts';
import type { NodeStats, StatsSummary } from '../../inputs/kubernetes/stats-summary.ts';
import type { Node } from '../node.ts';
import type { PodResources } from './pod-resources.ts';

/** Every node that a nodes file, a summary or a pod names, sorted. */
export function buildKubernetesNodes(
  objects: readonly KubernetesNode[],
  summaries: ReadonlyMap<string, StatsSummary>,
  resources: ReadonlyMap<string, PodResources[]>,
): Node[] {
  const objectsByName = new Map(objects.map((object) => [object.name, object]));
  const names = new Set([...objectsByName.keys(), ...summaries.keys(), ...resources.keys()]);
  return [...names].sort(compareText).map((name) => {
    const object = objectsByName.get(name);
    const memory = nodeMemory(summaries.get(name)?.node);
    const there = resources.get(name) ?? [];
    there.sort(
      (a, b) => compareText(a.pod.namespace, b.pod.namespace) || compareText(a.pod.name, b.pod.name),
    );
    return {
      cluster: undefined,
      name,
      capacityBytes: memory?.capacityBytes ?? toNumber(object?.memoryCapacity),
      allocatableBytes: toNumber(object?.memoryAllocatable),
      workingSetBytes: memory?.workingSetBytes,
      kubeletVersion: object?.kubeletVersion,
      // With a summary, a pod that is not in it has no stats; without one, nothing is known of any pod.
      hasUsageData: there.length === 0 || summaries.has(name),
      // A kubelet's own summary holds numbers, or the file is told to be wrong.
      podsWithLostSamples: 0,
      pods: there.map(({ pod }) => pod),
    };
  });
}

/** The kubelet takes available + working set for the capacity (`makeSignalObservations` in pkg/kubelet/eviction/helpers.go). */
function nodeMemory(stats: NodeStats | undefined) {
  const { availableBytes, workingSetBytes } = stats?.memory ?? {};
  if (availableBytes === undefined || workingSetBytes === undefined) return undefined;
  return {
    capacityBytes: Number(availableBytes) + Number(workingSetBytes),
    workingSetBytes: Number(workingSetBytes),
  };
}

function toNumber(quantity: KubernetesNode['memoryCapacity']): number | undefined {
  return quantity === undefined ? undefined : quantityToNumber(quantity);
}
