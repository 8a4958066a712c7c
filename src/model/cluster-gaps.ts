import { compareText } from '../foundation/text-order.ts';
import { type InputId, inputCatalogue, inputIds } from '../inputs/catalogue.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { InputSpec } from '../inputs/source.ts';
import { clustersOf } from './keys.ts';
import { type InputProblem, problem } from './problem.ts';

/**
 * Looks up the clusters of the store without a required input that other clusters have, a problem for each. Nothing where
 * no cluster label is configured, and where no cluster has the input, which is told of the input as a whole.
 */
export function clusterGaps({ rows }: CollectedInputs): (id: InputId) => InputProblem[] {
  if (rows.pods.keys.cluster === undefined) return () => [];
  const required = inputIds.filter((id) => specOf(id).whenEmpty === 'problem' && rows[id].outcome === 'ok');
  const present = new Map(required.map((id) => [id, clustersOf(rows[id])]));
  const known = new Set([...present.values()].flatMap((clusters) => [...clusters]));
  // Series without the label are no cluster of their own, unless pods are among them.
  if (!present.get('pods')?.has('')) known.delete('');
  const clusters = [...known].map((cluster) => cluster ?? '').sort(compareText);

  return (id) => {
    const { source } = rows[id];
    const { cost, remedy, sources } = specOf(id);
    const others =
      sources.length > 1 ? ', or run one evictrank per cluster, since one source serves the whole store' : '';
    return clusters
      .filter((cluster) => present.get(id)?.has(cluster) === false)
      .map((cluster) =>
        problem('input_empty', {
          subject: id,
          message: `no series of ${source?.metric ?? id} of ${nameOf(cluster)}, though other clusters have them. There: ${cost}`,
          remedy: `${remedy}, in that cluster too${others}`,
        }),
      );
  };
}

function specOf(id: InputId): InputSpec {
  return inputCatalogue[id];
}

function nameOf(cluster: string): string {
  return cluster === '' ? 'the cluster without a label' : `cluster ${cluster}`;
}
