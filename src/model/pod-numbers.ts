import type { LabelKeys } from '../inputs/scope.ts';
import type { Sample } from '../prometheus/client.ts';

/**
 * Pods numbered from 0 by cluster, namespace and name. Nested maps, because joining the three into one text costs more
 * than all the look-ups: it would happen once per series, a million times on the largest clusters.
 */
export interface PodNumbers {
  readonly size: number;
  /** Undefined where the pod has no number, or a label is missing. */
  of(sample: Pick<Sample, 'labels'>, keys: LabelKeys): number | undefined;
  /** Gives the pod a number unless it has one; undefined where a label is missing. */
  add(sample: Pick<Sample, 'labels'>, keys: LabelKeys): number | undefined;
}

export function createPodNumbers(): PodNumbers {
  const clusters = new Map<string, Map<string, Map<string, number>>>();
  let size = 0;

  function namespaceOf({ labels }: Pick<Sample, 'labels'>, keys: LabelKeys): Map<string, number> | undefined {
    const cluster = keys.cluster === undefined ? '' : (labels[keys.cluster] ?? '');
    const namespace = labels[keys.namespace];
    return namespace === undefined ? undefined : clusters.get(cluster)?.get(namespace);
  }

  return {
    get size() {
      return size;
    },
    of(sample, keys) {
      const name = sample.labels[keys.pod];
      return name === undefined ? undefined : namespaceOf(sample, keys)?.get(name);
    },
    add(sample, keys) {
      const { [keys.namespace]: namespace, [keys.pod]: name } = sample.labels;
      if (namespace === undefined || name === undefined) return undefined;
      let names = namespaceOf(sample, keys);
      if (names === undefined) {
        names = new Map();
        const cluster = keys.cluster === undefined ? '' : (sample.labels[keys.cluster] ?? '');
        const namespaces = clusters.get(cluster) ?? new Map<string, Map<string, number>>();
        clusters.set(cluster, namespaces.set(namespace, names));
      }
      const known = names.get(name);
      if (known !== undefined) return known;
      names.set(name, size);
      return size++;
    },
  };
}
