import { quantityToNumber } from '../foundation/quantity.ts';
import { cgroupRequest } from '../kubelet/pod-request.ts';
import type { Pod } from '../model/pod.ts';
import { workloadText } from '../model/sizing-facts.ts';
import { type NodeRoom, type Packing, type PodDemand, packFirstFit } from './first-fit.ts';
import type { PlacedNode, PlacedPod, ReviewFacts } from './placed.ts';
import type { Recommendation } from './recommendation.ts';

/** Nodes that the pods need by first fit, with the requests they have and with those recommended. */
export interface NodesNeeded {
  readonly now: Packing;
  readonly recommended: Packing;
}

interface Sized {
  readonly pods: readonly PlacedPod[];
  readonly recommendation: Recommendation;
}

/**
 * Estimates the nodes that are needed; the pods that each node has anyway take their room first.
 * @returns why there is no estimate, where something that decides it is not known: memory alone packs closer.
 */
export function estimateNodes(
  nodes: readonly PlacedNode[],
  workloads: readonly Sized[],
  facts: Pick<ReviewFacts, 'nodeCpuCores' | 'specOf'>,
): NodesNeeded | { readonly unknown: string } {
  const pods = nodes.flatMap((placed) => placed.pods.map(({ pod }) => pod));
  const coresOf = cpuLookup(pods, facts);
  const unknown = whatIsUnknown(nodes, { pods, coresOf, facts });
  if (unknown !== undefined) return { unknown };
  const recommended = new Map(
    workloads.flatMap(({ pods: own, recommendation: { requestBytes } }) =>
      requestBytes === undefined ? [] : own.map(({ pod }) => [pod, requestBytes] as const),
    ),
  );
  const pack = (bytesOf: (pod: Pod) => number): Packing => {
    const demandOf = (pod: Pod): PodDemand => ({ memoryBytes: bytesOf(pod), cpuCores: coresOf(pod) ?? 0 });
    const rooms = nodes.map(({ node, pods: own }): NodeRoom => {
      const taken = own.filter(({ pod }) => isOfNode(pod)).map(({ pod }) => demandOf(pod));
      return {
        memoryBytes: taken.reduce((left, { memoryBytes }) => left - memoryBytes, node.allocatableBytes ?? 0),
        cpuCores: taken.reduce((left, { cpuCores }) => left - cpuCores, facts.nodeCpuCores(node) ?? 0),
      };
    });
    return packFirstFit(pods.filter((pod) => !isOfNode(pod)).map(demandOf), rooms);
  };
  return {
    now: pack((pod) => pod.requestBytes ?? 0),
    recommended: pack((pod) => recommended.get(pod) ?? pod.requestBytes ?? 0),
  };
}

function whatIsUnknown(
  nodes: readonly PlacedNode[],
  {
    pods,
    coresOf,
    facts,
  }: {
    readonly pods: readonly Pod[];
    readonly coresOf: (pod: Pod) => number | undefined;
    readonly facts: Pick<ReviewFacts, 'nodeCpuCores'>;
  },
): string | undefined {
  const counts = [
    [
      nodes.filter(
        ({ node, requestsBytes }) => node.allocatableBytes === undefined || requestsBytes === undefined,
      ).length,
      (count) => `the memory of ${count} of ${nodes.length} nodes`,
    ],
    [
      nodes.filter(({ node }) => facts.nodeCpuCores(node) === undefined).length,
      (count) => `the cpu of ${count} of ${nodes.length} nodes`,
    ],
    [
      pods.filter((pod) => coresOf(pod) === undefined).length,
      (count) => `the cpu request of ${count} of ${pods.length} pods`,
    ],
  ] as const satisfies readonly (readonly [number, (count: number) => string])[];
  const [count, text] = counts.find(([unknown]) => unknown > 0) ?? [];
  return count === undefined ? undefined : text?.(count);
}

/** Of the pod, else of another one of its workload: a pod that has only been bound shows no containers yet. */
function cpuLookup(
  pods: readonly Pod[],
  { specOf }: Pick<ReviewFacts, 'specOf'>,
): (pod: Pod) => number | undefined {
  const own = new Map<Pod, number>();
  const ofWorkload = new Map<string, number>();
  const keyOf = ({ cluster, namespace, workload }: Pod) => workloadText({ cluster, namespace, ...workload });
  for (const pod of pods) {
    const spec = specOf(pod);
    if (spec === undefined) continue;
    const cores = quantityToNumber(cgroupRequest(spec, 'cpu'));
    own.set(pod, cores);
    ofWorkload.set(keyOf(pod), Math.max(cores, ofWorkload.get(keyOf(pod)) ?? 0));
  }
  return (pod) => own.get(pod) ?? ofWorkload.get(keyOf(pod));
}

/** Pods that each node has anyway, whatever else it runs. */
function isOfNode({ workload, isStatic }: Pod): boolean {
  return isStatic || workload.kind === 'DaemonSet';
}
