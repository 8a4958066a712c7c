import type { CollectedInput } from '../inputs/collect.ts';
import type { LabelKeys } from '../inputs/scope.ts';
import type { Sample } from '../prometheus/client.ts';

type KeyOf = (sample: Sample, keys: LabelKeys) => string | undefined;

/** Values of an input by key. Keys are unique per series after aggregation; should two series share one, the larger wins. */
export function valuesBy(input: CollectedInput, keyOf: KeyOf): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const sample of input.samples) {
    const key = keyOf(sample, input.keys);
    if (key === undefined) continue;
    const before = values.get(key);
    if (before === undefined || sample.value > before) values.set(key, sample.value);
  }
  return values;
}

/** All samples of an input by key. */
export function samplesBy(input: CollectedInput, keyOf: KeyOf): ReadonlyMap<string, readonly Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of input.samples) {
    const key = keyOf(sample, input.keys);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sample]);
    else group.push(sample);
  }
  return groups;
}
