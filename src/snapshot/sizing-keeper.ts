import { describeError } from '../foundation/errors.ts';
import type { LabelKeys } from '../inputs/scope.ts';
import {
  collectMemoryAutoscalers,
  collectOomKills,
  type SizingInputQuery,
  sizingInputs,
} from '../inputs/sizing-inputs.ts';
import { joinKey, podKey } from '../model/keys.ts';
import type { Pod, WorkloadKey } from '../model/pod.ts';
import { type InputProblem, problem } from '../model/problem.ts';
import {
  joinMemoryAutoscalers,
  joinOomKills,
  noSizingFacts,
  type SizingFacts,
  workloadText,
} from '../model/sizing-facts.ts';
import type { Sample } from '../prometheus/client.ts';
import { isCanceled } from '../prometheus/failures.ts';
import type { LeakTrend } from '../review/leak-trend.ts';
import type { PeakWindow } from '../window/peak-window.ts';
import { createKeptAnswer, type KeptAnswer } from './kept-answer.ts';
import { createLeakWatch } from './leak-watch.ts';

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
   * @throws PrometheusError of kind `canceled`, by the signal given
   */
  update(refresh: {
    readonly evaluatedAtMs: number;
    readonly pods: readonly Pod[];
    readonly window: PeakWindow;
    readonly signal?: AbortSignal;
  }): Promise<SizingKnowledge>;
}

/**
 * @param source `timeoutMs`: longest time for all questions of one update together, so that they hold up a refresh no
 * longer than one slow query would; undefined = each may take its own.
 */
export function createSizingKeeper(
  source: Pick<SizingInputQuery, 'client' | 'scope' | 'windowMs'> & { readonly timeoutMs?: number },
): SizingKeeper {
  const { timeoutMs, ...asking } = source;
  const oomKills = createKeptAnswer(noSizingFacts.oomKills);
  const autoscalers = createKeptAnswer(noSizingFacts.hasMemoryAutoscaler);
  const leakWatch = createLeakWatch();

  async function ask(endMs: number, pods: readonly Pod[], signal: AbortSignal | undefined): Promise<void> {
    const signals = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
    const query = {
      ...asking,
      endMs,
      signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
    };
    const askKills = async () => {
      const isLiving = livingLookup(pods, source.scope.labels.ksm);
      return joinOomKills(await collectOomKills({ ...query, isLiving }), pods);
    };
    const askAutoscalers = async () => joinMemoryAutoscalers(await collectMemoryAutoscalers(query));
    await Promise.all([
      oomKills.update(endMs, askKills, signal),
      autoscalers.update(endMs, askAutoscalers, signal),
    ]);
  }

  return {
    async update({ evaluatedAtMs, pods, window, signal }) {
      await ask(evaluatedAtMs, pods, signal);
      const leaks = leakWatch.update({ evaluatedAtMs, pods, window });
      return {
        oomKills: oomKills.value,
        hasMemoryAutoscaler: autoscalers.value,
        leakOf: (workload) => leaks.get(workloadText(workload)),
        problems: [
          ...failureOf('OOM kills', sizingInputs.oom_kills.cost, oomKills),
          ...failureOf('autoscalers on memory', sizingInputs.memory_autoscalers.cost, autoscalers),
        ],
      };
    },
  };
}

function livingLookup(pods: readonly Pod[], keys: LabelKeys): (pod: Sample) => boolean {
  const living = new Set(pods.map(({ cluster, namespace, name }) => joinKey(cluster, namespace, name)));
  return (pod) => living.has(podKey(pod, keys) ?? '');
}

function failureOf(what: string, cost: string, { failure }: KeptAnswer<unknown>): InputProblem[] {
  if (failure === undefined) return [];
  const why = isCanceled(failure)
    ? 'not all of them were answered within the time of one query'
    : describeError(failure);
  return [
    problem('input_failed', {
      subject: 'workloads',
      message: `${what} could not be asked for: ${why}. What was known before is used; where nothing was: ${cost}`,
      remedy:
        'see the message of the backend, or raise --prometheus.timeout; they are asked for again within ten minutes',
    }),
  ];
}
