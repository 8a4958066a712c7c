import type { LabelKeys } from '../inputs/scope.ts';
import type { Sample } from '../prometheus/client.ts';

/** Anything with labels: a sample or a series. */
type Labelled = Pick<Sample, 'labels'>;

// Kubernetes names contain no NUL, so it cannot be forged by a label value.
const separator = '\0';

/** One string for several parts, for use as a Map key; a part that is undefined counts as an empty one. */
export function joinKey(...parts: readonly (string | undefined)[]): string {
  return parts.join(separator);
}

export function clusterOf(sample: Labelled, keys: LabelKeys): string | undefined {
  return keys.cluster === undefined ? undefined : (sample.labels[keys.cluster] ?? '');
}

/** Clusters that an input has samples of; the one of `undefined` where no cluster label is configured. */
export function clustersOf({
  samples,
  keys,
}: {
  readonly samples: readonly Labelled[];
  readonly keys: LabelKeys;
}): ReadonlySet<string | undefined> {
  return new Set(samples.map((sample) => clusterOf(sample, keys)));
}

/** Identity of a pod by name; generations of a recreated pod share it. Undefined where a needed label is missing. */
export function podKey(sample: Labelled, keys: LabelKeys): string | undefined {
  const namespace = sample.labels[keys.namespace];
  const pod = sample.labels[keys.pod];
  if (namespace === undefined || pod === undefined) return undefined;
  // Spelled out rather than through joinKey: it runs once per series, a million times on the largest clusters.
  return `${keys.cluster === undefined ? '' : (sample.labels[keys.cluster] ?? '')}${separator}${namespace}${separator}${pod}`;
}

/** Identity of one generation of a pod. */
export function generationKey(sample: Labelled, keys: LabelKeys): string | undefined {
  const name = podKey(sample, keys);
  return name === undefined ? undefined : `${name}${separator}${sample.labels[keys.uid] ?? ''}`;
}
