import type { Play } from './play.ts';

const mebibyte = 2 ** 20;
/** Steps of the slider from one end to the other, at most: a key press should move it visibly. */
const mostSteps = 900;

/** Where along the slider the kubelet takes one more pod. */
export interface SliderMark {
  readonly bytes: number;
  readonly pods: readonly string[];
}

/** The most memory worth adding: with it every pod that may be evicted is gone. */
export function sliderEnd(withoutExtra: Play): number {
  const { availableBytes, thresholdBytes } = withoutExtra.played;
  const evictable = withoutExtra.pods.filter(({ rank }) => rank !== undefined);
  const usageBytes = evictable.reduce((sum, pod) => sum + (pod.usageBytes ?? 0), 0);
  return roundUp(Math.max(0, availableBytes - thresholdBytes + usageBytes) + 64 * mebibyte, 64 * mebibyte);
}

/** A power of two of mebibytes, so that whole ones can be set. */
export function sliderStep(endBytes: number): number {
  let step = mebibyte;
  while (endBytes / step > mostSteps) step *= 2;
  return step;
}

/** Pods that tie go at the same place. Pods behind one without figures have none: nobody knows what it gives back. */
export function sliderMarks(withoutExtra: Play): readonly SliderMark[] {
  const marks = new Map<number, string[]>();
  for (const { distanceBytes, key, rank } of withoutExtra.pods) {
    if (rank === undefined || distanceBytes === undefined) continue;
    marks.set(distanceBytes, [...(marks.get(distanceBytes) ?? []), key]);
  }
  return [...marks].map(([bytes, pods]) => ({ bytes, pods }));
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
