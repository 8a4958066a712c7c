import { Command, InvalidArgumentError } from 'commander';

export interface DemoOptions {
  readonly nodes: number;
  readonly pods: number;
  /** Port of the service; undefined = any free one. */
  readonly port: number | undefined;
  readonly prometheusPort: number | undefined;
  /** Stop once the ladder has been printed. */
  readonly exit: boolean;
}

/** Reads the command line. `--help` and mistakes print and end the process: 0 and 2. */
export function readDemoOptions(argv: readonly string[]): DemoOptions {
  const command = addClusterSize(new Command('npm run demo --'))
    .description(
      'Fills a real Prometheus with a week of a synthetic cluster and runs the service against it, on loopback only.',
    )
    .option('--port <N>', 'port of the service (default: any free one)', wholeNumber(1, 65_535))
    .option('--prometheus-port <N>', 'port of Prometheus (default: any free one)', wholeNumber(1, 65_535))
    .option('--exit', 'stop everything once the ladder has been printed', false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  return command.parse(argv, { from: 'user' }).opts<DemoOptions>();
}

/** Adds the options every program of the demo has. */
export function addClusterSize(command: Command): Command {
  return command
    .option('--nodes <N>', 'nodes of the cluster', wholeNumber(15, 500), 42)
    .option('--pods <N>', 'running pods of the cluster', wholeNumber(1, 10_000), 860);
}

/** Reads an option's number. @throws InvalidArgumentError */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}
