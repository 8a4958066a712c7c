import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../foundation/clock.ts';
import { describeError } from '../foundation/errors.ts';
import { type Logger, silentLogger } from '../foundation/logger.ts';
import type { QueryScope } from '../inputs/scope.ts';
import { podUsageSources } from '../inputs/usage-sources.ts';
import { type InputProblem, problem } from '../model/problem.ts';
import type { PrometheusClient } from '../prometheus/client.ts';
import { PrometheusError } from '../prometheus/failures.ts';
import { createBackfill } from './backfill.ts';
import { createCoverage } from './coverage.ts';
import { type HourRange, hourMs, hourOf, lastEndedHour, windowAt } from './hour.ts';
import { createHourTable } from './hour-table.ts';
import { listOnDemand, noteLivingPods, ownersByPod } from './living-pods.ts';
import { takePastHours } from './past-hours.ts';
import type { PeakQueryContext } from './peak-query.ts';
import { createPeakRows } from './peak-rows.ts';
import type { PeakWindow, SavedPeakWindowKeeper, WindowRefresh } from './peak-window.ts';
import { podHours } from './pod-hours.ts';
import { createQuestionSizes } from './question-size.ts';
import { followRecent, planRecent } from './recent.ts';
import { createSharding } from './sharding.ts';
import type { WindowState } from './window-state.ts';
import { createWindowStorage, type WindowStorage } from './window-storage.ts';
import { viewWindow } from './window-view.ts';

export interface HourlyWindowDeps {
  readonly client: PrometheusClient;
  readonly scope: QueryScope;
  /** Rounded up to whole hours. */
  readonly windowMs: number;
  /** Where the window is saved; undefined = nowhere. */
  readonly file?: string | undefined;
  /** Tells the backend apart from others, e.g. its URL and tenant: a window of another one is not used. */
  readonly backend?: string;
  /** How long a refresh may go on backfilling: the first one, which should be seen soon, and the others. */
  readonly backfillMs?: { readonly first: number; readonly later: number };
  /** Samples one question may make the backend hold at once. */
  readonly maxHeldSamples?: number;
  readonly clock?: Clock;
  /** Never goes back, unlike the wall clock: durations are measured with it. */
  readonly monotonicMs?: () => number;
  readonly logger?: Logger;
}

const defaultBackfillMs = { first: 0, later: 15_000 };

/** Keeps hourly maxima, so that a refresh asks only for the time since the last one. */
export function createHourlyWindow(deps: HourlyWindowDeps): SavedPeakWindowKeeper {
  const { client, scope, clock = systemClock, monotonicMs = () => performance.now() } = deps;
  const { logger = silentLogger, backfillMs = defaultBackfillMs } = deps;
  const windowHours = Math.max(1, Math.ceil(deps.windowMs / hourMs));
  const storage = storageFor(deps, { hoursKept: windowHours + 1, clock, monotonicMs, logger });
  const sizes = createQuestionSizes(deps.maxHeldSamples);
  const recentSharding = createSharding();
  const pastSharding = createSharding();
  const backfill = createBackfill(pastSharding);
  let state: WindowState = {
    rows: createPeakRows(createHourTable(windowHours + 1)),
    coverage: createCoverage(),
    progress: undefined,
  };
  let isFirst = true;
  let lastOffsetMs: number | undefined;
  // The backfill brings rows of pods that are gone.
  let hasNewRows = false;
  let lastTask: Promise<unknown> = Promise.resolve();

  /** Updates and saves wait for each other: a file must hold one moment. */
  function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = lastTask.then(task);
    lastTask = turn.catch(() => undefined);
    return turn;
  }

  async function update(refresh: WindowRefresh): Promise<PeakWindow> {
    const { evaluatedAtMs, signal } = refresh;
    const { rows, coverage } = state;
    const now = hourOf(evaluatedAtMs);
    const endedHours = {
      first: windowAt(evaluatedAtMs, windowHours).first,
      last: lastEndedHour(evaluatedAtMs),
    };
    const isNewHour = now !== rows.table.newestHour;
    rows.table.moveTo(now);
    coverage.keepWithin(endedHours);
    if (isNewHour) {
      backfill.hourPassed();
      recentSharding.hourPassed();
    }
    const livingRows = noteLivingPods(rows, refresh.pods);

    const problems = storage?.problems() ?? [];
    const source = podUsageSources.find(({ metric }) => metric === refresh.usageMetric);
    if (source !== undefined) {
      let droppedPoints = 0;
      const onDropped = (points: number): void => {
        droppedPoints += points;
      };
      const context = { client, scope, source, signal, onDropped };
      // A backend that cannot answer the small question is not asked the large ones.
      const failed =
        (await tellFailure('pod_peak', () => follow(context, refresh))) ??
        (await tellFailure('pod_peak_history', () => fillIn(context, refresh, endedHours)));
      if (failed !== undefined) problems.push(failed);
      if (droppedPoints > 0) problems.push(droppedProblem(droppedPoints));
    }
    isFirst = false;
    if (isNewHour || hasNewRows) rows.retire(now);
    hasNewRows = false;
    return viewWindow(state, { timeMs: evaluatedAtMs, windowHours, problems, livingRows });
  }

  async function follow(context: PeakQueryContext, refresh: WindowRefresh): Promise<void> {
    const offsetMs = clock() - monotonicMs();
    const plan = planRecent(refresh.evaluatedAtMs, state.progress, offsetMs - (lastOffsetMs ?? offsetMs));
    lastOffsetMs = offsetMs;
    const { rows, coverage } = state;
    if (plan.doubtful !== undefined) {
      coverage.uncover(plan.doubtful);
      // Should the questions fail, there is still nothing to go on from at the next refresh.
      state = { ...state, progress: undefined };
    }
    const known = listOnDemand(refresh.pods);
    const rangeMs = Math.max(...plan.segments.map(({ startMs, endMs }) => endMs - startMs));
    recentSharding.atLeast(await sizes.parts(context, { timeMs: refresh.evaluatedAtMs, rangeMs }), known);
    const finishedOwners = ownersByPod(refresh.finishedPods);
    await followRecent(context, plan, { rows, coverage, sharding: recentSharding, known, finishedOwners });
    state = { ...state, progress: plan.progress };
  }

  async function fillIn(
    context: PeakQueryContext,
    refresh: WindowRefresh,
    endedHours: HourRange,
  ): Promise<void> {
    const { rows, coverage } = state;
    const untilMs = monotonicMs() + (isFirst ? backfillMs.first : backfillMs.later);
    const isUp = (): boolean => monotonicMs() >= untilMs || context.signal?.aborted === true;
    if (isUp() || coverage.nextMissing(endedHours, 1) === undefined) return;
    hasNewRows = true;
    const known = listOnDemand(refresh.pods);
    const { evaluatedAtMs: timeMs } = refresh;
    pastSharding.atLeast(await sizes.parts(context, { timeMs, rangeMs: hourMs }), known);
    const maxHoursOf = (of: PeakQueryContext): Promise<number> =>
      sizes.maxHours(of, { timeMs, pods: refresh.pods.length, parts: pastSharding.shards().length });
    const sources = [context.source, ...podUsageSources.filter((other) => other !== context.source)].map(
      (source) => ({ source, maxHours: () => maxHoursOf({ ...context, source }) }),
    );
    const { questions, failure } = await backfill.run({
      coverage,
      endedHours,
      known,
      maxHours: await maxHoursOf(context),
      isUp,
      ask: (hours, shard) => takePastHours(context, { hours, shard }, { rows, sources }),
    });
    const missing = coverage.nextMissing(endedHours, windowHours);
    logger.info(
      { coveredHours: coverage.covered().length, windowHours, questions, ...backfill.questionSize() },
      missing === undefined ? 'window complete' : 'window backfill',
    );
    if (failure !== undefined) throw failure;
  }

  /** A failed question costs coverage; only a cancelled one ends the refresh. */
  async function tellFailure(subject: string, ask: () => Promise<void>): Promise<InputProblem | undefined> {
    try {
      await ask();
      return undefined;
    } catch (error) {
      if (!(error instanceof PrometheusError) || error.kind === 'canceled') throw error;
      logger.warn({ query: subject, kind: error.kind }, describeError(error));
      const message = `${error.message}. Peaks may be missing until it succeeds.`;
      return problem('window_query_failed', { subject, message, remedy: error.remedy ?? 'see the log' });
    }
  }

  return {
    update: (refresh) => inTurn(() => update(refresh)),
    podHours: (pod) => podHours(state, pod),
    load: () =>
      inTurn(async () => {
        state = (await storage?.load()) ?? state;
      }),
    save: () => inTurn(async () => storage?.save(state)),
    saveIfDue: () => inTurn(async () => (storage?.isDue(state) ? storage.save(state) : undefined)),
  };
}

function storageFor(
  { file, backend = '', scope }: HourlyWindowDeps,
  settings: Omit<Parameters<typeof createWindowStorage>[0], 'file' | 'fingerprint'>,
): WindowStorage | undefined {
  if (file === undefined) return undefined;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([backend, scope]))
    .digest('hex');
  return createWindowStorage({ file, fingerprint, ...settings });
}

function droppedProblem(points: number): InputProblem {
  return problem('samples_dropped', {
    subject: 'pod_peak',
    message: `${points} hourly peaks are NaN, infinite or beyond 2^53 and were dropped; the pods' peaks are those of the other hours`,
    remedy: 'see which exporter or rule writes such values of pod_usage',
  });
}
