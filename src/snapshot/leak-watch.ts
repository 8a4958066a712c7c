import type { Pod } from '../model/pod.ts';
import { workloadText } from '../model/sizing-facts.ts';
import { findLeak, type LeakTrend } from '../review/leak-trend.ts';
import type { PeakWindow } from '../window/peak-window.ts';

/** Hourly peaks change by the hour. */
const leaksKeptMs = 3_600_000;
/** While the window is being filled, leaks show one after the other. */
const coverageStep = 0.1;
/** Looking at the whole window of this many takes half a second; more of them are spread over several refreshes. */
const podsPerRefresh = 15_000;

/** Looks for leaks once an hour, in large clusters at a part of the pods in each refresh. */
export interface LeakWatch {
  /** The worst leak of each workload that has one, by `workloadText`, as of the last look that is finished. */
  update(refresh: {
    readonly evaluatedAtMs: number;
    readonly pods: readonly Pod[];
    readonly window: PeakWindow;
  }): ReadonlyMap<string, LeakTrend>;
}

/** One look at all pods, part by part. */
interface Look {
  readonly parts: number;
  nextPart: number;
  readonly found: Map<string, LeakTrend>;
}

export function createLeakWatch(mostPods = podsPerRefresh): LeakWatch {
  let leaks: ReadonlyMap<string, LeakTrend> = new Map();
  let look: Look | undefined;
  let lookAgainAtMs = Number.NEGATIVE_INFINITY;
  let coverageRatio = 0;

  return {
    update({ evaluatedAtMs, pods, window }) {
      const isFuller = coverageRatio < 1 && window.coverageRatio >= Math.min(1, coverageRatio + coverageStep);
      // A look that takes longer than an hour, with rare refreshes, is finished before the next one.
      const isDue = look === undefined && evaluatedAtMs >= lookAgainAtMs;
      if (isDue || isFuller) {
        look = { parts: Math.max(1, Math.ceil(pods.length / mostPods)), nextPart: 0, found: new Map() };
        coverageRatio = window.coverageRatio;
        lookAgainAtMs = evaluatedAtMs + leaksKeptMs;
      }
      if (look === undefined) return leaks;
      const { parts, nextPart, found } = look;
      for (const pod of pods) {
        if (partOf(pod, parts) === nextPart) noteLeak(found, pod, window);
      }
      look.nextPart++;
      if (look.nextPart === parts) {
        leaks = found;
        look = undefined;
      }
      return leaks;
    },
  };
}

/** By name, so that a pod is in the same part at every refresh, whichever pods come and go. */
function partOf({ namespace, name }: Pod, parts: number): number {
  let hash = 0;
  for (const text of [namespace, name]) {
    for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
  }
  return hash % parts;
}

function noteLeak(leaks: Map<string, LeakTrend>, pod: Pod, window: PeakWindow): void {
  const hours = window.podHours(pod);
  const leak = hours === undefined ? undefined : findLeak(hours);
  if (leak === undefined) return;
  const { cluster, namespace, workload } = pod;
  const key = workloadText({ cluster, namespace, ...workload });
  const worst = leaks.get(key);
  if (worst === undefined || leak.growthBytesPerHour > worst.growthBytesPerHour) leaks.set(key, leak);
}
