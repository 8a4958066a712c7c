import { createPodPacker, type PackedPods, unpackPods } from './packed-pods.ts';
import type { RankedNode, Snapshot, WorkloadSummary } from './snapshot.ts';

type NodeFacts = Omit<RankedNode, 'pods'>;

/**
 * Between threads a snapshot travels in pieces: whoever receives a large message can do nothing else meanwhile. What is
 * not in the pieces is small, or is handed over without being copied.
 */
export interface SnapshotPiece {
  readonly texts: readonly string[];
  readonly nodes: readonly { readonly facts: NodeFacts; readonly podCount: number }[];
  readonly workloads: readonly WorkloadSummary[];
}

/** What is left without the pieces. */
export interface SnapshotHead {
  readonly rest: Omit<Snapshot, 'nodes' | 'workloads'>;
  /** Its memory can be transferred. */
  readonly figures: PackedPods['figures'];
}

/** Of each kind in one piece; a few milliseconds' work for the receiver. */
const perPiece = { texts: 5_000, nodes: 500, workloads: 500 } as const;
const emptyPiece: SnapshotPiece = { texts: [], nodes: [], workloads: [] };

export function splitSnapshot(snapshot: Snapshot): {
  readonly head: SnapshotHead;
  readonly pieces: readonly SnapshotPiece[];
} {
  const { nodes, workloads, ...rest } = snapshot;
  const packer = createPodPacker(nodes.reduce((sum, { pods }) => sum + pods.length, 0));
  const nodesOnly = nodes.map(({ pods, ...facts }) => {
    for (const pod of pods) packer.add(pod);
    return { facts, podCount: pods.length };
  });
  const { figures, texts } = packer.packed();
  return {
    head: { rest, figures },
    pieces: [
      ...cut(texts, perPiece.texts).map((part) => ({ ...emptyPiece, texts: part })),
      ...cut(nodesOnly, perPiece.nodes).map((part) => ({ ...emptyPiece, nodes: part })),
      ...cut(workloads, perPiece.workloads).map((part) => ({ ...emptyPiece, workloads: part })),
    ],
  };
}

/** Puts a snapshot together again, piece by piece, so that little is left to do at the end. */
export interface SnapshotAssembly {
  add(piece: SnapshotPiece): void;
  /** The snapshot, frozen as it was. The pods of a node become objects once somebody looks at them. */
  finish(head: SnapshotHead): Snapshot;
}

export function createSnapshotAssembly(): SnapshotAssembly {
  const texts: string[] = [];
  const nodes: SnapshotPiece['nodes'][number][] = [];
  const workloads: WorkloadSummary[] = [];
  return {
    add(piece) {
      texts.push(...piece.texts);
      nodes.push(...piece.nodes);
      workloads.push(...piece.workloads);
    },
    finish({ rest, figures }) {
      let first = 0;
      const unpacked = nodes.map(({ facts, podCount }) => {
        const node = unpackNode(facts, { figures, texts }, { first, count: podCount });
        first += podCount;
        return node;
      });
      return Object.freeze({
        ...rest,
        nodes: Object.freeze(unpacked),
        workloads: Object.freeze(workloads),
      });
    },
  };
}

/** The pods stay the same objects once they are unpacked, for others compare them by identity. */
function unpackNode(
  facts: NodeFacts,
  packed: PackedPods,
  range: { readonly first: number; readonly count: number },
): RankedNode {
  let pods: RankedNode['pods'] | undefined;
  return {
    ...facts,
    get pods() {
      pods ??= unpackPods(packed, range);
      return pods;
    },
  };
}

function cut<Item>(items: readonly Item[], length: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, i) =>
    items.slice(i * length, (i + 1) * length),
  );
}
