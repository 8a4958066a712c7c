import type { CollectedInputs } from '../inputs/collect.ts';
import type { Sample } from '../prometheus/client.ts';
import { generationKey, podKey } from './keys.ts';
import { samplesBy, valuesBy } from './lookup.ts';

/** The one living generation of each pod name, and the names that had several. */
export interface LivePods {
  /** Samples of the input `pods`, by pod key. */
  readonly byName: ReadonlyMap<string, Sample>;
  /** A sample of the input `pods` for each name of which no generation lives. */
  readonly finished: readonly Sample[];
  readonly phaseByGeneration: ReadonlyMap<string, string>;
  readonly overlapping: readonly string[];
  /** A name with more generations than any pod can have: the labels name the exporter, not the pods. */
  readonly collapsed: string | undefined;
}

/** More living generations of one name than recreating a pod within five minutes can leave. */
const implausibleGenerations = 20;

/**
 * Chooses, for each pod name, the generation that lives: it is not finished, Running wins over Pending, then the
 * newest. Two uids of one name overlap for the five minutes that a vanished series stays fresh.
 */
export function findLivePods({ rows }: CollectedInputs): LivePods {
  const phaseByGeneration = new Map<string, string>();
  for (const sample of rows.pod_phase.samples) {
    const key = generationKey(sample, rows.pod_phase.keys);
    const phase = sample.labels.phase;
    if (key === undefined || phase === undefined) continue;
    // Two scrapes of one kube-state-metrics pair may disagree for a moment; the later phase is the truer one.
    if (phaseByGeneration.get(key) !== 'Running') phaseByGeneration.set(key, phase);
  }

  const createdAt = valuesBy(rows.pod_created, generationKey);
  const keys = rows.pods.keys;
  const age = (sample: Sample): readonly [number, number, string] => {
    const key = generationKey(sample, keys) ?? '';
    const uid = sample.labels[keys.uid] ?? '';
    return [phaseByGeneration.get(key) === 'Running' ? 1 : 0, createdAt.get(key) ?? 0, uid];
  };

  const byName = new Map<string, Sample>();
  const finished: Sample[] = [];
  const overlapping: string[] = [];
  let collapsed: string | undefined;
  for (const [name, generations] of samplesBy(rows.pods, podKey)) {
    const alive = generations.filter((sample) => phaseByGeneration.has(generationKey(sample, keys) ?? ''));
    const newest = alive.length < 2 ? alive[0] : alive.toSorted((a, b) => compareAges(age(b), age(a)))[0];
    if (newest !== undefined) byName.set(name, newest);
    else if (generations[0] !== undefined) finished.push(generations[0]);
    if (alive.length > 1) overlapping.push(name);
    if (alive.length >= implausibleGenerations) collapsed = name;
  }
  return { byName, finished, phaseByGeneration, overlapping, collapsed };
}

type Age = readonly [number, number, string];

function compareAges(a: Age, b: Age): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);
}
