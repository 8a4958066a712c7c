import { Command } from 'commander';
import { wholeNumber } from '../src/demo/options.ts';

/** The command of a benchmark: `--help` and mistakes print and end the process, with 0 and 2. */
function benchmark(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .option('--json <FILE>', 'write all figures there as well')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
}

export interface SuiteOptions {
  readonly json?: string;
  readonly pods?: number;
  readonly nodes?: number;
  readonly refreshes: number;
  readonly withoutPrometheus: boolean;
}

export function readSuiteOptions(args: readonly string[]): SuiteOptions {
  const command = benchmark(
    'bench',
    'Measures the window and the refresh, and judges them by their budgets. Exit code 1 where one is not met.',
  )
    .option('--pods <N>', 'one cluster of that size (default: 10000, then 150000)', wholeNumber(1, 150_000))
    .option('--nodes <N>', 'nodes of the cluster of --pods (default: one for 30 pods)', wholeNumber(1, 5_000))
    .option('--refreshes <N>', 'refreshes to measure', wholeNumber(1, 1_000), 10)
    .option('--without-prometheus', 'leave out the window on a real Prometheus', false)
    .parse(args, { from: 'user' });
  const options = command.opts<SuiteOptions>();
  if (options.nodes !== undefined && options.pods === undefined) command.error('error: --nodes needs --pods');
  return options;
}

export interface LoadOptions {
  readonly json?: string;
  readonly seconds: number;
}

export function readLoadOptions(args: readonly string[]): LoadOptions {
  return benchmark(
    'bench:load',
    'Loads a service of 10,000 pods with 50 clients while it refreshes. Exit code 1 where a request fails or a limit does not hold.',
  )
    .option('--seconds <N>', 'length of each load', wholeNumber(1, 600), 15)
    .parse(args, { from: 'user' })
    .opts<LoadOptions>();
}
