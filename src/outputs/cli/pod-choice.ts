import { EvictrankError } from '../../foundation/errors.ts';
import type { RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { UsageError } from './usage-error.ts';

/** The data have no such pod. */
export class UnknownPodError extends EvictrankError {
  override readonly name = 'UnknownPodError';
}

export interface FoundPod {
  readonly ranked: RankedPod;
  readonly node: RankedNode;
}

/**
 * The pod of a `namespace/name`, or of a name alone where it is in one namespace only.
 * @throws UnknownPodError, UsageError where several fit.
 */
export function choosePod({ nodes }: Snapshot, wanted: string): FoundPod {
  const found = nodes.flatMap((node) =>
    node.pods
      .filter(({ pod }) => wanted === `${pod.namespace}/${pod.name}` || wanted === pod.name)
      .map((ranked) => ({ ranked, node })),
  );
  const [first, second] = found;
  if (first === undefined) {
    throw new UnknownPodError(`there is no pod ${wanted} among those that run`, {
      remedy: 'name it as namespace/name; evictrank rank lists all',
    });
  }
  if (second === undefined) return first;
  const places = found.map(
    ({ ranked, node }) => `${ranked.pod.namespace}/${ranked.pod.name} on ${node.node.name}`,
  );
  throw new UsageError(
    `several pods are called ${wanted}: ${places.slice(0, 5).join(', ')}; name the namespace, and narrow several clusters down with --prometheus.selector`,
  );
}
