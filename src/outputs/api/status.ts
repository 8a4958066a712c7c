import type { Clock } from '../../foundation/clock.ts';
import type { InputProblem } from '../../model/problem.ts';
import type { RefreshState } from '../../snapshot/refresh-loop.ts';
import type { InputState } from '../../snapshot/snapshot.ts';

export interface Status {
  readonly version: string;
  readonly ready: boolean;
  /** True where the data served are older than three refresh intervals, or none are there. */
  readonly stale: boolean;
  readonly lastRefresh: {
    readonly outcome: 'ok' | 'failed' | null;
    readonly error: string | null;
    readonly durationSeconds: number | null;
    readonly finishedAt: string | null;
  };
  readonly data: {
    readonly evaluatedAt: string;
    readonly ageSeconds: number;
    readonly windowSeconds: number;
    readonly windowCoverageRatio: number;
    readonly nodes: number;
    readonly incompleteNodes: number;
    readonly pods: number;
    readonly inputs: readonly InputState[];
    readonly problems: readonly InputProblem[];
  } | null;
}

/** Refresh intervals after which data count as stale. */
const staleAfterIntervals = 3;

/**
 * Age of the data served; undefined where there are none. By both clocks, the larger counts: one that was set back would
 * let old data pass for new.
 */
function dataAgeMs({ snapshot, evaluatedMonotonicMs }: RefreshState, now: Moment): number | undefined {
  if (snapshot === undefined) return undefined;
  const byWallMs = now.nowMs - snapshot.evaluatedAtMs;
  return Math.max(
    0,
    byWallMs,
    evaluatedMonotonicMs === undefined ? 0 : now.monotonicMs - evaluatedMonotonicMs,
  );
}

/** One moment by the clock on the wall, and by one that nobody can set (`performance.now`). */
export interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

/** Everything an operator may ask of the service itself. */
export function statusOf(
  state: RefreshState,
  context: Moment & { readonly version: string; readonly intervalMs: number },
): Status {
  const { snapshot } = state;
  const ageMs = dataAgeMs(state, context);
  const stale = ageMs === undefined || ageMs > staleAfterIntervals * context.intervalMs;
  return {
    version: context.version,
    ready: !stale,
    stale,
    lastRefresh: {
      outcome: state.lastOutcome ?? null,
      error: state.lastError ?? null,
      durationSeconds: state.lastDurationSeconds ?? null,
      finishedAt:
        state.lastFinishedAtMs === undefined ? null : new Date(state.lastFinishedAtMs).toISOString(),
    },
    data:
      snapshot === undefined
        ? null
        : {
            evaluatedAt: new Date(snapshot.evaluatedAtMs).toISOString(),
            ageSeconds: (ageMs ?? 0) / 1000,
            windowSeconds: snapshot.windowSeconds,
            windowCoverageRatio: snapshot.windowCoverageRatio,
            nodes: snapshot.nodes.length,
            incompleteNodes: snapshot.nodes.filter(({ complete }) => !complete).length,
            // Each pod counts in one row; to count those of the nodes would unpack them all.
            pods: snapshot.priorities.reduce((sum, { pods }) => sum + pods, 0),
            inputs: snapshot.inputs,
            problems: snapshot.problems,
          },
  };
}

/** The status of this moment. */
export function currentStatus(deps: {
  readonly state: () => RefreshState;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly version: string;
  readonly intervalMs: number;
}): Status {
  const { state, clock, monotonicMs, version, intervalMs } = deps;
  return statusOf(state(), { version, intervalMs, nowMs: clock(), monotonicMs: monotonicMs() });
}
