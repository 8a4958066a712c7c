import { compareText } from '../foundation/text-order.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { LabelKeys } from '../inputs/scope.ts';
import type { Labels, Sample } from '../prometheus/client.ts';
import { createPodNumbers } from './pod-numbers.ts';

/** Finds the number of the living pod that a series belongs to; undefined where it belongs to none. */
export type FindPod = (sample: Pick<Sample, 'labels'>, keys: LabelKeys) => number | undefined;

export interface LivingPod {
  /** Of the input `pods`. */
  readonly sample: Sample;
  /** '' where the series has none. */
  readonly uid: string;
  readonly phase: string;
}

/** The one living generation of each pod name, and the names that had several. */
export interface LivePods {
  /** By number; undefined where no generation of the name lives. */
  readonly living: readonly (LivingPod | undefined)[];
  /** For series that know a pod only by its name. */
  readonly byName: FindPod;
  /** For series that carry a uid: those of other generations belong to no living pod. */
  readonly byGeneration: FindPod;
  /** A sample of the input `pods` for each name of which no generation lives. */
  readonly finished: readonly Sample[];
  /** Samples of the living generation of names that had several. */
  readonly overlapping: readonly Sample[];
  /** Labels of the input `pods`, of pods of which it is not known whether they live: that sample came, and was dropped. */
  readonly lost: readonly Labels[];
}

interface Generation {
  readonly sample: Sample;
  readonly uid: string;
  phase: string | undefined;
  isPhaseLost: boolean;
  createdSeconds: number;
}

/**
 * Chooses, for each pod name, the generation that lives: it is not finished, Running wins over Pending, then the
 * newest. Two uids of one name overlap for the five minutes that a vanished series stays fresh.
 */
export function findLivePods({ rows }: CollectedInputs): LivePods {
  const numbers = createPodNumbers();
  const byNumber: Generation[][] = [];
  for (const sample of rows.pods.samples) {
    const number = numbers.add(sample, rows.pods.keys);
    if (number === undefined) continue;
    const generation: Generation = {
      sample,
      uid: sample.labels[rows.pods.keys.uid] ?? '',
      phase: undefined,
      isPhaseLost: false,
      createdSeconds: 0,
    };
    const others = byNumber[number];
    if (others === undefined) byNumber[number] = [generation];
    else others.push(generation);
  }

  function eachGeneration(
    sample: Pick<Sample, 'labels'>,
    keys: LabelKeys,
    visit: (generation: Generation) => void,
  ): void {
    const number = numbers.of(sample, keys);
    const uid = sample.labels[keys.uid] ?? '';
    for (const generation of number === undefined ? [] : (byNumber[number] ?? [])) {
      if (generation.uid === uid) visit(generation);
    }
  }
  for (const sample of rows.pod_phase.samples) {
    eachGeneration(sample, rows.pod_phase.keys, (generation) => {
      // Two scrapes of one kube-state-metrics pair may disagree for a moment; the later phase is the truer one.
      if (generation.phase !== 'Running') generation.phase = sample.labels.phase ?? generation.phase;
    });
  }
  for (const labels of rows.pod_phase.dropped) {
    eachGeneration({ labels }, rows.pod_phase.keys, (generation) => {
      generation.isPhaseLost = true;
    });
  }
  for (const sample of rows.pod_created.samples) {
    eachGeneration(sample, rows.pod_created.keys, (generation) => {
      generation.createdSeconds = Math.max(generation.createdSeconds, sample.value);
    });
  }

  const finished: Sample[] = [];
  const overlapping: Sample[] = [];
  const lost: Labels[] = [...rows.pods.dropped];
  const living = byNumber.map((generations) => {
    const alive = generations.filter(isAlive);
    const newest = alive.length < 2 ? alive[0] : alive.toSorted(newestFirst)[0];
    if (newest !== undefined && alive.length > 1) overlapping.push(newest.sample);
    if (newest !== undefined) return newest;
    const unknown = generations.find(({ isPhaseLost }) => isPhaseLost);
    if (unknown !== undefined) lost.push(unknown.sample.labels);
    else if (generations[0] !== undefined) finished.push(generations[0].sample);
    return undefined;
  });

  const byName: FindPod = (sample, keys) => {
    const number = numbers.of(sample, keys);
    return number === undefined || living[number] === undefined ? undefined : number;
  };
  return {
    living,
    byName,
    byGeneration(sample, keys) {
      const number = byName(sample, keys);
      if (number === undefined) return undefined;
      return living[number]?.uid === (sample.labels[keys.uid] ?? '') ? number : undefined;
    },
    finished,
    overlapping,
    lost,
  };
}

function isAlive(generation: Generation): generation is Generation & LivingPod {
  return generation.phase !== undefined;
}

function newestFirst(a: Generation, b: Generation): number {
  return (
    Number(b.phase === 'Running') - Number(a.phase === 'Running') ||
    b.createdSeconds - a.createdSeconds ||
    compareText(b.uid, a.uid)
  );
}
