import type { Clock } from '../foundation/clock.ts';
import { describeError } from '../foundation/errors.ts';
import type { Logger } from '../foundation/logger.ts';
import type { Snapshot } from './snapshot.ts';

/** How the last refresh ended; all undefined before the first has. */
export interface RefreshOutcome {
  readonly lastOutcome: 'ok' | 'failed' | undefined;
  /** Why it failed, safe to show; undefined where it did not. */
  readonly lastError: string | undefined;
  readonly lastDurationSeconds: number | undefined;
  readonly lastFinishedAtMs: number | undefined;
}

/** What the outputs show: the last good snapshot, however the last refresh ended. */
export interface RefreshState extends RefreshOutcome {
  readonly snapshot: Snapshot | undefined;
  /** When the snapshot was evaluated, by a clock that nobody can set; undefined where that is not known. */
  readonly evaluatedMonotonicMs: number | undefined;
}

export const nothingYet: RefreshState = {
  snapshot: undefined,
  evaluatedMonotonicMs: undefined,
  lastOutcome: undefined,
  lastError: undefined,
  lastDurationSeconds: undefined,
  lastFinishedAtMs: undefined,
};

export interface RefreshLoop {
  /** Refreshes now and then every interval, until `stop`. */
  start(): void;
  /** Ends the loop, cancels a refresh under way and waits for it. */
  stop(): Promise<void>;
}

export interface RefreshLoopDeps {
  /** Refreshes and publishes; resolves to figures for the log. */
  readonly refresh: (
    evaluatedAtMs: number,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told after every refresh. */
  readonly onRefresh: (outcome: RefreshOutcome) => void;
}

/** Runs refreshes one after another, never two at once. */
export function createRefreshLoop(deps: RefreshLoopDeps): RefreshLoop {
  const { refresh, intervalMs, clock, logger, onRefresh } = deps;
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function runOnce(): Promise<void> {
    // Wall time says which data are asked for; only the monotonic clock may measure, for the other can be set.
    const evaluatedAtMs = clock();
    const startedAt = performance.now();
    const attempt = await refresh(evaluatedAtMs, abort.signal).then(
      (figures) => ({ figures, lastOutcome: 'ok' as const, lastError: undefined }),
      (error: unknown) => ({ figures: {}, lastOutcome: 'failed' as const, lastError: describeError(error) }),
    );
    if (abort.signal.aborted) return;
    const lastDurationSeconds = (performance.now() - startedAt) / 1000;
    const { figures, ...outcome } = attempt;
    if (outcome.lastOutcome === 'ok')
      logger.info({ durationSeconds: lastDurationSeconds, ...figures }, 'refreshed');
    else logger.error({ durationSeconds: lastDurationSeconds, error: outcome.lastError }, 'refresh failed');
    onRefresh({ ...outcome, lastDurationSeconds, lastFinishedAtMs: clock() });
    // From start to start, so that the interval is kept; at once where a refresh took longer than it.
    timer = setTimeout(next, Math.max(0, intervalMs - lastDurationSeconds * 1000));
  }

  function next(): void {
    running = runOnce();
  }

  return {
    start: next,
    async stop() {
      abort.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
