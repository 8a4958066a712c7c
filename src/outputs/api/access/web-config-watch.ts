import { setInterval } from 'node:timers';
import { ConfigError } from '../../../config/load.ts';
import { describeError } from '../../../foundation/errors.ts';
import type { Logger } from '../../../foundation/logger.ts';
import { openAccess, readWebConfig, type WebConfig } from './web-config.ts';

export interface WatchedWebConfig {
  current(): WebConfig;
  stop(): void;
}

/**
 * Asked for by reading rather than by events of the file system: Kubernetes replaces a mounted secret by moving a
 * link, and network file systems tell nothing. The files are small.
 */
const rereadMs = 5_000;

export interface WatchDeps {
  readonly file: string | undefined;
  readonly logger: Logger;
  /** Told after every change that can be used. */
  readonly onChange: (config: WebConfig) => void;
  readonly intervalMs?: number;
}

/**
 * Reads the file now, and again and again. What cannot be used later on is logged once, and what was in force stays.
 * @throws ConfigError where it cannot be used now.
 */
export async function watchWebConfig(deps: WatchDeps): Promise<WatchedWebConfig> {
  const { file, logger, onChange, intervalMs = rereadMs } = deps;
  if (file === undefined) return { current: () => openAccess, stop: () => undefined };
  let current = await readWebConfig(file);
  let lastSeen = current.fingerprint;
  let isReading = false;

  async function reread(path: string): Promise<void> {
    const outcome = await readWebConfig(path).then(
      (config) => ({ config, seen: config.fingerprint }),
      (error: unknown) => ({ config: undefined, seen: problemText(error) }),
    );
    if (outcome.seen === lastSeen) return;
    lastSeen = outcome.seen;
    const problem = outcome.config === undefined ? outcome.seen : restartProblem(current, outcome.config);
    if (outcome.config === undefined || problem !== undefined) {
      logger.error({ file: path, error: problem }, 'web configuration not read again, the old one stays');
      return;
    }
    current = outcome.config;
    onChange(current);
    logger.info({ file: path }, 'web configuration read again');
  }

  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void reread(file).finally(() => {
      isReading = false;
    });
  }, intervalMs);
  timer.unref();
  return { current: () => current, stop: () => clearInterval(timer) };
}

/** In one line, as a log has it. */
function problemText(error: unknown): string {
  return error instanceof ConfigError ? error.problems.join('; ') : describeError(error);
}

/** What a running server cannot follow; undefined where it can. */
function restartProblem(before: WebConfig, after: WebConfig): string | undefined {
  if ((before.tls === undefined) === (after.tls === undefined)) return undefined;
  return 'switching TLS on or off needs a restart';
}
