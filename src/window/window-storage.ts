import type { Clock } from '../foundation/clock.ts';
import { describeError } from '../foundation/errors.ts';
import type { Logger } from '../foundation/logger.ts';
import { type InputProblem, problem } from '../model/problem.ts';
import { loadWindowFile, saveWindowFile } from './window-file.ts';
import type { WindowState } from './window-state.ts';

/** Loads and saves a window; whatever the file system does, the service goes on. */
export interface WindowStorage {
  /** Undefined where there is nothing to go on from. */
  load(): Promise<WindowState | undefined>;
  save(state: WindowState): Promise<void>;
  /** Whether the file lacks hours that are covered by now. */
  isDue(state: WindowState): boolean;
  problems(): InputProblem[];
}

/** A large window is some 200 MB, so it is not written at every refresh. */
const shortestIntervalMs = 10 * 60_000;

export function createWindowStorage(settings: {
  readonly file: string;
  readonly fingerprint: string;
  readonly hoursKept: number;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly logger: Logger;
}): WindowStorage {
  const { file, fingerprint, hoursKept, clock, monotonicMs, logger } = settings;
  let savedHours = '';
  let triedAtMs: number | undefined;
  let saveProblem: InputProblem | undefined;
  let loadProblem: InputProblem | undefined;

  function tellLoadProblem(message: string, remedy: string): void {
    logger.warn({ file, remedy }, message);
    loadProblem = problem('window_set_aside', { subject: file, message, remedy });
  }

  const hoursOf = (state: WindowState): string => state.coverage.covered().join();

  return {
    async load() {
      try {
        const loaded = await loadWindowFile(file, { fingerprint, hoursKept, nowMs: clock() });
        if (loaded.kind === 'loaded') {
          savedHours = hoursOf(loaded.state);
          logger.info({ file, hours: loaded.state.coverage.covered().length }, 'window loaded');
          return loaded.state;
        }
        if (loaded.kind === 'set_aside') {
          tellLoadProblem(
            `the saved window is not used: ${loaded.reason}`,
            `none needed: it was moved to ${loaded.movedTo}, and the hours are asked for again`,
          );
        }
      } catch (error) {
        tellLoadProblem(
          `the saved window could not be read: ${describeError(error)}`,
          'check the permissions of the file and its folder; the hours are asked for again',
        );
      }
      return undefined;
    },
    async save(state) {
      triedAtMs = monotonicMs();
      const hours = hoursOf(state);
      try {
        await saveWindowFile(file, state, fingerprint);
        savedHours = hours;
        saveProblem = undefined;
        loadProblem = undefined;
        logger.debug({ file, durationSeconds: (monotonicMs() - triedAtMs) / 1000 }, 'window saved');
      } catch (error) {
        const message = `the window could not be saved: ${describeError(error)}`;
        const remedy =
          'free or enlarge the disk and check its permissions; a restart asks for all hours again';
        logger.error({ file, remedy }, message);
        saveProblem = problem('window_not_saved', { subject: file, message, remedy });
      }
    },
    isDue(state) {
      const isTooSoon = triedAtMs !== undefined && monotonicMs() - triedAtMs < shortestIntervalMs;
      return !isTooSoon && hoursOf(state) !== savedHours;
    },
    problems: () => [loadProblem, saveProblem].filter((found) => found !== undefined),
  };
}
