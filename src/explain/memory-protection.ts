/** What a kubelet with the feature MemoryQoS would write for a pod, and above it. */
import { quantityOfBytes } from '../foundation/quantity.ts';
import {
  ancestorMemoryQos,
  type CgroupMemory,
  type MemoryQosSettings,
  type PodMemoryQos,
  podMemoryQos,
} from '../kubelet/memory-qos.ts';
import type { PodSpec } from '../kubelet/pod-spec.ts';
import type { QosClass } from '../kubelet/qos-class.ts';
import type { RankedNode } from '../snapshot/snapshot.ts';

export type MemoryQosChoice = Pick<MemoryQosSettings, 'throttlingFactor' | 'reservationPolicy'>;

export interface MemoryProtection extends PodMemoryQos {
  /** What the kubelet is taken to be configured with; nothing tells a scrape. */
  readonly settings: MemoryQosChoice;
  /** The cgroups above the pod; undefined where a class or a request on the node is not known. */
  readonly ancestors: { readonly kubepods: CgroupMemory; readonly burstable: CgroupMemory } | undefined;
}

/** Everything the feature can do: the throttling factor of its documentation (KEP-2570), and reservations on. */
export const assumedMemoryQos: MemoryQosChoice = {
  throttlingFactor: 0.9,
  reservationPolicy: 'TieredReservation',
};

export function explainMemoryProtection(
  pod: { readonly spec: PodSpec; readonly qosClass: QosClass },
  node: RankedNode,
  choice: MemoryQosChoice,
): MemoryProtection {
  const settings: MemoryQosSettings = { ...choice, nodeAllocatableBytes: node.node.allocatableBytes };
  return {
    settings: choice,
    ...podMemoryQos(pod.spec, pod.qosClass, settings),
    ancestors: ancestorsOf(node, settings),
  };
}

function ancestorsOf({ pods }: RankedNode, settings: MemoryQosSettings): MemoryProtection['ancestors'] {
  const known = pods.flatMap(({ pod: { qosClass, requestBytes } }) =>
    qosClass === undefined || requestBytes === undefined ? [] : [{ qosClass, spec: specOf(requestBytes) }],
  );
  return known.length === pods.length ? ancestorMemoryQos(known, settings) : undefined;
}

/** Only the sum of a pod matters above it. */
function specOf(requestBytes: number): PodSpec {
  const requests = { memory: quantityOfBytes(Math.round(requestBytes)) };
  return { containers: [{ name: 'all', requests }], initContainers: [] };
}
