import type { RankedNode, Snapshot, WorkloadSummary } from './snapshot.ts';

/**
 * Between threads a snapshot travels in pieces: to receive 150,000 pods in one message would block the thread that
 * serves for most of a second.
 */
export interface SnapshotPiece {
  readonly nodes: readonly RankedNode[];
  readonly workloads: readonly WorkloadSummary[];
}

/** What is left without the pieces. */
export type SnapshotHead = Omit<Snapshot, keyof SnapshotPiece>;

/** In one piece; a few milliseconds' work for the receiver. */
const podsPerPiece = 400;
const workloadsPerPiece = 1000;

/** The nodes in pieces of roughly equal numbers of pods, then the workloads, and everything else. */
export function splitSnapshot(snapshot: Snapshot): {
  readonly head: SnapshotHead;
  readonly pieces: readonly SnapshotPiece[];
} {
  const { nodes, workloads, ...head } = snapshot;
  const pieces: SnapshotPiece[] = [];
  let first = 0;
  let pods = 0;
  for (const [i, node] of nodes.entries()) {
    pods += node.pods.length;
    if (pods < podsPerPiece && i < nodes.length - 1) continue;
    pieces.push({ nodes: nodes.slice(first, i + 1), workloads: [] });
    first = i + 1;
    pods = 0;
  }
  for (let i = 0; i < workloads.length; i += workloadsPerPiece) {
    pieces.push({ nodes: [], workloads: workloads.slice(i, i + workloadsPerPiece) });
  }
  return { head, pieces };
}

/** The snapshot again, frozen as it was. */
export function joinSnapshot(head: SnapshotHead, pieces: readonly SnapshotPiece[]): Snapshot {
  return Object.freeze({
    ...head,
    nodes: Object.freeze(pieces.flatMap(({ nodes }) => nodes)),
    workloads: Object.freeze(pieces.flatMap(({ workloads }) => workloads)),
  });
}
