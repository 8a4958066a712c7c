/** What a pod asks of the scheduler. */
export interface PodDemand {
  readonly memoryBytes: number;
  /** 0 where cpu is left out. */
  readonly cpuCores: number;
}

/** Room of a node for pods that may run anywhere. */
export interface NodeRoom {
  readonly memoryBytes: number;
  /** Infinite where cpu is left out. */
  readonly cpuCores: number;
}

export interface Packing {
  /** Nodes that got a pod. */
  readonly nodes: number;
  /** Pods that fit nowhere. */
  readonly unplaced: number;
}

/**
 * First fit, largest pods first, into the largest nodes first: how many of the nodes the pods need. An estimate, never
 * a bound: affinity, taints, topology and volumes are left out, and the best packing can need fewer.
 */
export function packFirstFit(pods: readonly PodDemand[], nodes: readonly NodeRoom[]): Packing {
  const rooms = nodes
    .toSorted((a, b) => b.memoryBytes - a.memoryBytes || b.cpuCores - a.cpuCores)
    .map((room) => ({ ...room, isUsed: false }));
  let unplaced = 0;
  for (const { memoryBytes, cpuCores } of pods.toSorted((a, b) => b.memoryBytes - a.memoryBytes)) {
    const room = rooms.find((one) => one.memoryBytes >= memoryBytes && one.cpuCores >= cpuCores);
    if (room === undefined) {
      unplaced++;
      continue;
    }
    room.memoryBytes -= memoryBytes;
    room.cpuCores -= cpuCores;
    room.isUsed = true;
  }
  return { nodes: rooms.filter(({ isUsed }) => isUsed).length, unplaced };
}
