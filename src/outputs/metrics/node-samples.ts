import type { RankedNode } from '../../snapshot/snapshot.ts';
import type { MetricKey } from './catalogue.ts';
import { type Emit, label } from './exposition.ts';

export type NodeMetricKey = Extract<MetricKey, `node${string}`>;

function once(value: (node: RankedNode) => number | undefined) {
  return (node: RankedNode, identity: string, emit: Emit): void => emit(identity, value(node));
}

/** What each node family says of one node. `identity` holds the labels that every one of them starts with. */
export const nodeSamples: Readonly<
  Record<NodeMetricKey, (node: RankedNode, identity: string, emit: Emit) => void>
> = {
  nodeMemoryAvailable: once((node) => node.availableBytes),
  nodeEvictionThreshold: once((node) => node.thresholdBytes),
  nodeEvictionHeadroom: once((node) => node.headroomBytes),
  nodeMemoryAllocatable: once(({ node }) => node.allocatableBytes),
  nodeMemoryRequests: once((node) => node.requestsBytes),
  nodeMemoryPeak: once((node) => node.peakBytes),
  nodePods: (node, identity, emit) => {
    const counts = new Map<string, number>();
    for (const { pod, now } of node.pods) {
      if (now.group === undefined) continue;
      const labels = `${identity},group="${now.group}",${label('qos_class', pod.qosClass ?? '')}`;
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
    }
    for (const [labels, count] of counts) emit(labels, count);
  },
  nodeQosOrderInversions: once((node) => node.qosOrderInversions),
  nodeComplete: once((node) => Number(node.complete)),
};
