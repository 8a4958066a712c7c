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
  await app.stop();
}

process.exitCode = await runProgram(process.argv, { version, serve });
