import type { PlacedNode } from './placed.ts';

/** Memory of one node, or of all, side by side. */
export interface NodeMemory {
  readonly capacityBytes: number | undefined;
  readonly allocatableBytes: number | undefined;
  readonly requestsBytes: number | undefined;
  /** Working set of the whole node. */
  readonly workingSetBytes: number | undefined;
  /** Working sets of its pods; undefined where too few of them are known. */
  readonly podsBytes: number | undefined;
}

/** Pods that start or end have no stats for a moment; more of them than this would change the picture. */
const FEW_WITHOUT_STATS = 0.1;

export function memoryOfNode({ node, requestsBytes, pods }: PlacedNode): NodeMemory {
  const { capacityBytes, allocatableBytes, workingSetBytes } = node;
  return {
    capacityBytes,
    allocatableBytes,
    requestsBytes,
    workingSetBytes,
    podsBytes: sumPods({ node, pods }),
  };
}

function sumPods({ node, pods }: Pick<PlacedNode, 'node' | 'pods'>): number | undefined {
  if (!node.hasUsageData || node.podsWithLostSamples > 0) return undefined;
  const known = pods.flatMap(({ pod }) => pod.usageBytes ?? []);
  if (pods.length - known.length > pods.length * FEW_WITHOUT_STATS) return undefined;
  return known.reduce((sum, bytes) => sum + bytes, 0);
}

/** Sums over the nodes of which all is known, so that the sums can be compared. */
export function sumMemory(memories: readonly NodeMemory[]): NodeMemory {
  const whole = memories.filter(isWhole);
  const sum = (pick: (memory: NodeMemory) => number | undefined): number | undefined =>
    whole.length === 0 ? undefined : whole.reduce((total, memory) => total + (pick(memory) ?? 0), 0);
  return {
    capacityBytes: sum(({ capacityBytes }) => capacityBytes),
    allocatableBytes: sum(({ allocatableBytes }) => allocatableBytes),
    requestsBytes: sum(({ requestsBytes }) => requestsBytes),
    workingSetBytes: sum(({ workingSetBytes }) => workingSetBytes),
    podsBytes: sum(({ podsBytes }) => podsBytes),
  };
}

export function isWhole(memory: NodeMemory): boolean {
  return Object.values(memory).every((bytes) => bytes !== undefined);
}
