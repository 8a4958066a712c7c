import type { CollectedInput } from '../inputs/collect.ts';
import type { Sample } from '../prometheus/client.ts';
import type { LivePods } from './generations.ts';

/** Whether the series of an input know a pod by its name alone, or carry the uid of its generation. */
type Identity = 'byName' | 'byGeneration';

/**
 * Values of an input by the number of the living pod. A pod has one series after aggregation; should two series belong
 * to one, the larger wins.
 */
export function valuesByPod(
  input: CollectedInput,
  live: LivePods,
  by: Identity,
): readonly (number | undefined)[] {
  // Of full length from the start: an array that grows in leaps becomes a slow one.
  const values = new Array<number | undefined>(live.living.length);
  for (const sample of input.samples) {
    const number = live[by](sample, input.keys);
    if (number === undefined) continue;
    const before = values[number];
    if (before === undefined || sample.value > before) values[number] = sample.value;
  }
  return values;
}

/** The first sample of an input by the number of the living pod. */
export function firstSamples(
  input: CollectedInput,
  live: LivePods,
  by: Identity,
): readonly (Sample | undefined)[] {
  const samples = new Array<Sample | undefined>(live.living.length);
  for (const sample of input.samples) {
    const number = live[by](sample, input.keys);
    if (number !== undefined) samples[number] ??= sample;
  }
  return samples;
}

/** Living pods of which a sample came and was dropped, by number. */
export function droppedPods(input: CollectedInput, live: LivePods, by: Identity): ReadonlySet<number> {
  const numbers = input.dropped.map((labels) => live[by]({ labels }, input.keys));
  return new Set(numbers.filter((number) => number !== undefined));
}

/** All samples of an input by the number of the living pod: for inputs that few pods have. */
export function samplesByPod(
  input: CollectedInput,
  live: LivePods,
  by: Identity,
): ReadonlyMap<number, readonly Sample[]> {
  const groups = new Map<number, Sample[]>();
  for (const sample of input.samples) {
    const number = live[by](sample, input.keys);
    if (number === undefined) continue;
    const group = groups.get(number);
    if (group === undefined) groups.set(number, [sample]);
    else group.push(sample);
  }
  return groups;
}
