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
  const rooms = createRooms(
    nodes.toSorted((a, b) => b.memoryBytes - a.memoryBytes || b.cpuCores - a.cpuCores),
  );
  const used = new Set<number>();
  let unplaced = 0;
  for (const pod of pods.toSorted((a, b) => b.memoryBytes - a.memoryBytes)) {
    const room = rooms.firstFor(pod);
    if (room === undefined) {
      unplaced++;
      continue;
    }
    rooms.take(room, pod);
    used.add(room);
  }
  return { nodes: used.size, unplaced };
}

interface Rooms {
  /** The first room that has enough of both left. */
  firstFor(pod: PodDemand): number | undefined;
  take(room: number, pod: PodDemand): void;
}

/**
 * A binary tree whose leaves are the rooms and whose inner nodes know the most that any room below has left, so that
 * whole parts without room are passed over: room by room, the largest clusters would take minutes.
 */
function createRooms(nodes: readonly NodeRoom[]): Rooms {
  let leaves = 1;
  while (leaves < nodes.length) leaves *= 2;
  const memoryBytes = new Float64Array(2 * leaves).fill(Number.NEGATIVE_INFINITY);
  const cpuCores = new Float64Array(2 * leaves).fill(Number.NEGATIVE_INFINITY);
  for (const [i, node] of nodes.entries()) {
    memoryBytes[leaves + i] = node.memoryBytes;
    cpuCores[leaves + i] = node.cpuCores;
  }
  const at = (values: Float64Array, place: number): number => values[place] ?? Number.NEGATIVE_INFINITY;
  const update = (place: number): void => {
    for (const values of [memoryBytes, cpuCores]) {
      values[place] = Math.max(at(values, 2 * place), at(values, 2 * place + 1));
    }
  };
  for (let place = leaves - 1; place >= 1; place--) update(place);

  function search(place: number, pod: PodDemand): number | undefined {
    if (at(memoryBytes, place) < pod.memoryBytes || at(cpuCores, place) < pod.cpuCores) return undefined;
    if (place >= leaves) return place - leaves;
    return search(2 * place, pod) ?? search(2 * place + 1, pod);
  }

  return {
    firstFor: (pod) => search(1, pod),
    take(room, pod) {
      const leaf = leaves + room;
      memoryBytes[leaf] = at(memoryBytes, leaf) - pod.memoryBytes;
      cpuCores[leaf] = at(cpuCores, leaf) - pod.cpuCores;
      for (let place = leaf >> 1; place >= 1; place >>= 1) update(place);
    },
  };
}
