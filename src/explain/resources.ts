/** What follows from a pod's containers: its QoS class, the kernel's order, and what Memory QoS would write. */
import { compareQuantities, formatQuantity, quantityOfBytes } from '../foundation/quantity.ts';
import { rulesOfKubelet } from '../kubelet/kubelet-version.ts';
import { type ContainerOomScore, oomScores } from '../kubelet/oom-score.ts';
import { podRequest } from '../kubelet/pod-request.ts';
import type { ContainerSpec, Resources } from '../kubelet/pod-spec.ts';
import type { QosClass } from '../kubelet/qos-class.ts';
import { explainQosClass, explainReportedClass, type QosExplanation } from '../kubelet/qos-explanation.ts';
import type { LastTermination, PodDetail } from '../model/pod-detail.ts';
import type { RankedNode, RankedPod } from '../snapshot/snapshot.ts';
import {
  assumedMemoryQos,
  explainMemoryProtection,
  type MemoryProtection,
  type MemoryQosChoice,
} from './memory-protection.ts';
import { describeOom } from './oom-sentence.ts';
import { size } from './wording.ts';

export interface ContainerFacts {
  readonly name: string;
  readonly kind: 'main' | 'init' | 'sidecar';
  /** As Kubernetes writes quantities, by resource name. */
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
  /** Why it ended the last time it did; undefined where that is not known. */
  readonly lastTerminatedReason: string | undefined;
  /** The kernel kills the process with the highest score first; undefined where it is not known. */
  readonly oomScoreAdj: number | undefined;
}

export interface ResourceExplanation {
  readonly containers: readonly ContainerFacts[];
  readonly restartPolicy: string | undefined;
  readonly qos: QosExplanation & {
    readonly reported: QosClass | undefined;
    /** Why the two differ; undefined where they agree or none is reported. */
    readonly difference: string | undefined;
  };
  /** What the OOM killer makes of the pod, in words. */
  readonly oomSentence: string;
  readonly memoryQos: MemoryProtection;
  readonly cautions: readonly string[];
}

export function explainResources(
  { ranked, node }: { readonly ranked: RankedPod; readonly node: RankedNode },
  detail: PodDetail,
  memoryQos: MemoryQosChoice = assumedMemoryQos,
): ResourceExplanation {
  const { pod } = ranked;
  const { spec } = detail;
  const derived = explainQosClass(spec);
  const reported = detail.isQosClassReported ? pod.qosClass : undefined;
  const rules = rulesOfKubelet(node.node.kubeletVersion);
  const scores = oomScores(spec, pod, { memoryCapacityBytes: node.node.capacityBytes, rules });
  return {
    containers: containerFacts(detail, scores),
    restartPolicy: detail.restartPolicy,
    qos: {
      ...derived,
      reported,
      difference: reported === undefined ? undefined : explainReportedClass(derived.qosClass, reported),
    },
    oomSentence: describeOom(pod, derived.qosClass, node.node.kubeletVersion),
    memoryQos: explainMemoryProtection({ spec, qosClass: reported ?? derived.qosClass }, node, memoryQos),
    cautions: [...requestCaution(ranked, detail), ...detail.gaps],
  };
}

function containerFacts(detail: PodDetail, scores: readonly ContainerOomScore[]): readonly ContainerFacts[] {
  const { spec, lastTerminations } = detail;
  const factsOf = (container: ContainerSpec, isInit: boolean): ContainerFacts => ({
    name: container.name,
    kind: isInit ? (container.isSidecar === true ? 'sidecar' : 'init') : 'main',
    requests: written(container.requests),
    limits: written(container.limits),
    lastTerminatedReason: lastReason(lastTerminations, container.name),
    oomScoreAdj: scores.find((score) => score.container === container.name && score.isInit === isInit)
      ?.oomScoreAdj,
  });
  return [
    ...spec.containers.map((container) => factsOf(container, false)),
    ...spec.initContainers.map((container) => factsOf(container, true)),
  ];
}

function lastReason(terminations: readonly LastTermination[], name: string): string | undefined {
  return terminations.find(({ container }) => container === name)?.reason;
}

function written(list: Resources['requests']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(list ?? {}).flatMap(([resource, quantity]) =>
      quantity === undefined ? [] : [[resource, formatQuantity(quantity)]],
    ),
  );
}

/** The ranking uses the request of the inputs; where the containers do not add up to it, the reader should know. */
function requestCaution({ pod }: RankedPod, { spec }: PodDetail): readonly string[] {
  if (pod.requestBytes === undefined) return [];
  const sum = podRequest(spec, 'memory');
  if (compareQuantities(sum, quantityOfBytes(Math.round(pod.requestBytes))) === 0) return [];
  return [
    `The containers add up to a memory request of ${formatQuantity(sum)}, the ranking counts ${size(pod.requestBytes)} (${pod.requestBytes} bytes): resources of the pod as a whole, the order of its init containers or a resize under way may be behind it.`,
  ];
}
