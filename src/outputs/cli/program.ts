import { Command, CommanderError } from 'commander';
import { ConfigError } from '../../config/load.ts';
import type { Config } from '../../config/options.ts';
import { type Clock, systemClock } from '../../foundation/clock.ts';
import { describeError } from '../../foundation/errors.ts';
import { ConnectionSettingsError } from '../../prometheus/connection.ts';
import { checkCommand } from './check-command.ts';
import type { CommandContext } from './command-context.ts';
import { explainCommand } from './explain-command.ts';
import { explainMessageCommand } from './explain-message-command.ts';
import { rankCommand } from './rank-command.ts';
import { reviewCommand } from './review-command.ts';
import { serveCommand } from './serve-command.ts';
import { simulateCommand } from './simulate-command.ts';
import { snapshotCommand } from './snapshot-command.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { thresholdsCommand } from './thresholds-command.ts';
import { UsageError } from './usage-error.ts';

export interface ProgramDeps {
  readonly version: string;
  readonly serve: (config: Config) => Promise<void>;
  readonly terminal?: Terminal;
  readonly clock?: Clock;
}

/** Exit codes: 0 done, 1 failed, 2 bad usage. */
export const exitCodes = { done: 0, failed: 1, badUsage: 2 } as const;

/** Errors about what was asked for, not about what happened. */
const badSettings = [ConfigError, ConnectionSettingsError, UsageError];

/** Runs the command line. Resolves to the exit code; what went wrong has been written to standard error. */
export async function runProgram(argv: readonly string[], deps: ProgramDeps): Promise<number> {
  const { version, serve, terminal = processTerminal(), clock = systemClock } = deps;
  let exitCode: number = exitCodes.done;
  const context: CommandContext = {
    terminal,
    clock,
    version,
    markFailed() {
      exitCode = exitCodes.failed;
    },
  };
  const program = new Command('evictrank')
    .description(
      'Which pods the kubelet would evict first on every Kubernetes node, how close each is, and why.',
    )
    .version(version)
    .addCommand(serveCommand(serve))
    .addCommand(rankCommand(context))
    .addCommand(explainCommand(context))
    .addCommand(reviewCommand(context))
    .addCommand(simulateCommand(context))
    .addCommand(explainMessageCommand(context))
    .addCommand(thresholdsCommand(context))
    .addCommand(snapshotCommand(context))
    .addCommand(checkCommand(context))
    .addHelpText(
      'after',
      `
Examples:
  $ evictrank rank --prometheus.url=http://localhost:9090
  $ evictrank rank --pods pods.json --summary node-7.json
  $ evictrank help rank

Exit codes: 0 done, 1 failed, 2 bad usage.`,
    );
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError('(--help shows what there is)')
      .configureOutput({
        writeOut: (text) => terminal.write(text),
        writeErr: (text) => terminal.note(text),
        ...(terminal.columns === undefined ? {} : { getOutHelpWidth: () => terminal.columns ?? 80 }),
      });
  }
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    // commander has already written its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badUsage;
    for (const line of describeError(error).split('\n')) terminal.note(`evictrank: ${line}\n`);
    return badSettings.some((kind) => error instanceof kind) ? exitCodes.badUsage : exitCodes.failed;
  }
}
