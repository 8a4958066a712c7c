#!/usr/bin/env node
import { startApp } from './app.ts';
import type { Config } from './config/options.ts';
import { createLogger } from './foundation/logger.ts';
import { readVersion } from './foundation/version.ts';
import { runProgram } from './outputs/cli/program.ts';

const version = readVersion();

/** Runs the service until SIGTERM or SIGINT; a second signal ends the process as usual. */
async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel, config.logFormat);
  const app = await startApp(config, { version, logger });
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, resolve);
  });
  logger.info({ signal }, 'stopping');
  if (await app.stop()) return;
  // Node waits for its threads however it is asked to end, and this one waits for a disk that may never answer.
  logger.error({ file: config.windowFile }, 'the window file does not answer: ended without saving');
  process.kill(process.pid, 'SIGKILL');
}

process.exitCode = await runProgram(process.argv, { version, serve });
