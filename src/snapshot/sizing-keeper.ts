import { describeError } from '../foundation/errors.ts';
import { collectSizingInputs, type SizingInputQuery } from '../inputs/sizing-inputs.ts';
import type { Pod, WorkloadKey } from '../model/pod.ts';
import { type InputProblem, problem } from '../model/problem.ts';
import { joinSizingFacts, noSizingFacts, type SizingFacts, workloadText } from '../model/sizing-facts.ts';
import { isCanceled, PrometheusError } from '../prometheus/failures.ts';
import { findLeak, type LeakTrend } from '../review/leak-trend.ts';
import type { PeakWindow } from '../window/peak-window.ts';

/** Everything a recommended request depends on beside the peaks. */
export interface SizingKnowledge extends SizingFacts {
  /** The worst leak of its pods; undefined = none, or too little is known to tell. */
  leakOf(workload: WorkloadKey): LeakTrend | undefined;
  readonly problems: readonly InputProblem[];
}

export const noSizingKnowledge: SizingKnowledge = { ...noSizingFacts, leakOf: () => undefined, problems: [] };

/** Keeps what sizes depend on; looks again when it is old. One `update` at a time. */
export interface SizingKeeper {
  /**
   * A query that fails leaves what was known before, and is told; it does not fail the refresh.
   * @throws PrometheusError of kind `canceled`
   */
  update(refresh: {
    readonly evaluatedAtMs: number;
    readonly pods: readonly Pod[];
    readonly window: PeakWindow;
    readonly signal?: AbortSignal;
  }): Promise<SizingKnowledge>;
}

/** The whole window is looked at, which costs too much for every refresh; and hourly peaks change by the hour. */
const keptMs = 3_600_000;
/** A question that failed is not asked at every refresh either. */
const retryMs = 600_000;
/** While the window is being filled, leaks show one after the other. */
const coverageStep = 0.1;

export function createSizingKeeper(
  source: Pick<SizingInputQuery, 'client' | 'scope' | 'windowMs'>,
): SizingKeeper {
  let facts = noSizingFacts;
  let problems: readonly InputProblem[] = [];
  let askAgainAtMs = Number.NEGATIVE_INFINITY;
  let leaks: ReadonlyMap<string, LeakTrend> = new Map();
  let lookAgainAtMs = Number.NEGATIVE_INFINITY;
  let coverageRatio = 0;

  async function ask(evaluatedAtMs: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      facts = joinSizingFacts(await collectSizingInputs({ ...source, endMs: evaluatedAtMs, signal }));
      problems = [];
      askAgainAtMs = evaluatedAtMs + keptMs;
    } catch (error) {
      if (!(error instanceof PrometheusError) || isCanceled(error)) throw error;
      problems = [failure(error)];
      askAgainAtMs = evaluatedAtMs + retryMs;
    }
  }

  return {
    async update({ evaluatedAtMs, pods, window, signal }) {
      if (evaluatedAtMs >= askAgainAtMs) await ask(evaluatedAtMs, signal);
      const isFuller = window.coverageRatio >= Math.min(1, coverageRatio + coverageStep);
      if (evaluatedAtMs >= lookAgainAtMs || (isFuller && coverageRatio < 1)) {
        leaks = findLeaks(pods, window);
        coverageRatio = window.coverageRatio;
        lookAgainAtMs = evaluatedAtMs + keptMs;
      }
      const seen = leaks;
      return { ...facts, leakOf: (workload) => seen.get(workloadText(workload)), problems };
    },
  };
}

/** The worst leak of each workload that has one. */
export function findLeaks(pods: readonly Pod[], window: PeakWindow): ReadonlyMap<string, LeakTrend> {
  const leaks = new Map<string, LeakTrend>();
  for (const pod of pods) {
    const hours = window.podHours(pod);
    const leak = hours === undefined ? undefined : findLeak(hours);
    if (leak === undefined) continue;
    const { cluster, namespace, workload } = pod;
    const key = workloadText({ cluster, namespace, ...workload });
    const worst = leaks.get(key);
    if (worst === undefined || leak.growthBytesPerHour > worst.growthBytesPerHour) leaks.set(key, leak);
  }
  return leaks;
}

function failure(error: PrometheusError): InputProblem {
  return problem('input_failed', {
    subject: 'workloads',
    message: `OOM kills and autoscalers could not be asked for: ${describeError(error)}; recommended requests take no account of what happened since they last could`,
    remedy: 'see the message of the backend; it is asked again within ten minutes',
  });
}
