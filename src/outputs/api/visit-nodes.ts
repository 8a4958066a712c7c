import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RankedNode } from '../../snapshot/snapshot.ts';

/** Looking at these takes a few milliseconds: they become objects at the first look (`unpackPods`). */
const podsPerTurn = 2_000;

/** Looks at all nodes with their pods, and lets others be served in between: the largest cluster has 150,000 pods. */
export async function visitNodes(
  nodes: readonly RankedNode[],
  visit: (node: RankedNode) => void,
): Promise<void> {
  let pods = 0;
  for (const node of nodes) {
    pods += node.podCounts.pods;
    if (pods > podsPerTurn) {
      await nextTurn();
      pods = node.podCounts.pods;
    }
    visit(node);
  }
}
