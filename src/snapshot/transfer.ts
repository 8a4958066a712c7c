import type { RankedNode, Snapshot } from './snapshot.ts';

/**
 * Between threads a snapshot travels in pieces: to receive 150,000 pods in one message would block the thread that
 * serves for most of a second.
 */
export type SnapshotHead = Omit<Snapshot, 'nodes'>;

/** Pods in one piece; a few milliseconds' work for the receiver. */
const podsPerPiece = 400;

/** Everything but the nodes, and the nodes in pieces of roughly equal numbers of pods. */
export function splitSnapshot(snapshot: Snapshot): {
  readonly head: SnapshotHead;
  readonly pieces: readonly (readonly RankedNode[])[];
} {
  const { nodes, ...head } = snapshot;
  const pieces: RankedNode[][] = [];
  let pods = podsPerPiece;
  for (const node of nodes) {
    if (pods >= podsPerPiece) {
      pieces.push([]);
      pods = 0;
    }
    pieces.at(-1)?.push(node);
    pods += node.pods.length;
  }
  return { head, pieces };
}

/** The snapshot again, frozen as it was. */
export function joinSnapshot(head: SnapshotHead, pieces: readonly (readonly RankedNode[])[]): Snapshot {
  return Object.freeze({ ...head, nodes: Object.freeze(pieces.flat()) });
}
