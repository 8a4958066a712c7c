import { EvictrankError } from '../../foundation/errors.ts';
import type { RankedNode, Snapshot } from '../../snapshot/snapshot.ts';
import { UsageError } from './usage-error.ts';

/** The data have no such node. */
export class UnknownNodeError extends EvictrankError {
  override readonly name = 'UnknownNodeError';
}

/** All nodes, or those of one name: one in each cluster. @throws UnknownNodeError */
export function chooseNodes({ nodes }: Snapshot, name: string | undefined): readonly RankedNode[] {
  if (name === undefined) return nodes;
  const found = nodes.filter(({ node }) => node.name === name);
  if (found.length > 0) return found;
  const some = nodes.slice(0, 10).map(({ node }) => node.name);
  throw new UnknownNodeError(
    `there is no node ${name}; there ${nodes.length === 1 ? 'is' : 'are'} ${some.join(', ')}${nodes.length > some.length ? ', …' : ''}`,
  );
}

/** The one node a command is about. @throws UnknownNodeError, UsageError where it must be named. */
export function chooseOneNode(snapshot: Snapshot, name: string | undefined): RankedNode {
  const [node, other] = chooseNodes(snapshot, name);
  if (node === undefined) throw new UnknownNodeError('there is no node at all');
  if (other === undefined) return node;
  throw new UsageError(
    name === undefined
      ? `--node is missing; there are ${snapshot.nodes.length} nodes`
      : `node ${name} is in several clusters: narrow it down with --prometheus.selector`,
  );
}
