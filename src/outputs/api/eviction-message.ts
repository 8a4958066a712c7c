import type { z } from 'zod';
import { explainKubeletText, type KubeletTextMeaning } from '../../explain/kubelet-text.ts';
import { QuantityError } from '../../foundation/quantity.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { indexOf } from './cluster-index.ts';
import { HttpProblem } from './problem-details.ts';
import type { evictionMessageRequest } from './schemas/eviction-message.ts';
import { visitNodes } from './visit-nodes.ts';

/**
 * Explains a text of the kubelet. A message needs no data; only a logged order is compared with them.
 * @throws HttpProblem 404 for a node that is not there, 400 for a number that is none.
 */
export async function explainMessage(
  snapshot: Snapshot | undefined,
  { message, node, cluster }: z.output<typeof evictionMessageRequest>,
): Promise<KubeletTextMeaning> {
  const nodes = nodesFor(snapshot, node, cluster);
  try {
    const meaning = explainKubeletText(message);
    if (meaning.kind !== 'ranked_pods') return meaning;
    await visitNodes(nodes, ({ pods }) => pods);
    return explainKubeletText(message, nodes);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new HttpProblem(400, 'Bad body', `message: "${error.input}" is no quantity: ${error.message}`);
  }
}

function nodesFor(snapshot: Snapshot | undefined, node: string | undefined, cluster: string | undefined) {
  if (snapshot === undefined) return [];
  if (node !== undefined) return [indexOf(snapshot).node(node, cluster)];
  return cluster === undefined
    ? snapshot.nodes
    : snapshot.nodes.filter((one) => one.node.cluster === cluster);
}
