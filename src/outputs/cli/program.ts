import { Command, CommanderError } from 'commander';
import { ConfigError } from '../../config/load.ts';
import type { Config } from '../../config/options.ts';
import { describeError } from '../../foundation/errors.ts';
import { serveCommand } from './serve-command.ts';

export interface ProgramDeps {
  readonly version: string;
  readonly serve: (config: Config) => Promise<void>;
}

/** Exit codes: 0 done, 1 failed, 2 bad usage. */
export const exitCodes = { done: 0, failed: 1, badUsage: 2 } as const;

/** Runs the command line. Resolves to the exit code; what went wrong has been written to standard error. */
export async function runProgram(argv: readonly string[], deps: ProgramDeps): Promise<number> {
  const program = new Command('evictrank')
    .description(
      'Which pods the kubelet would evict first on every Kubernetes node, how close each is, and why.',
    )
    .version(deps.version)
    .showHelpAfterError('(--help shows what there is)')
    .addCommand(serveCommand(deps.serve));
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync(argv);
    return exitCodes.done;
  } catch (error) {
    // commander has already written its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badUsage;
    process.stderr.write(`evictrank: ${describeError(error)}\n`);
    return error instanceof ConfigError ? exitCodes.badUsage : exitCodes.failed;
  }
}
