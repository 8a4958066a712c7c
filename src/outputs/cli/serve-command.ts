import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/load.ts';
import { environmentName, type Option as Row } from '../../config/option.ts';
import { type Config, options } from '../../config/options.ts';

/** `evictrank serve`: runs the service until it is told to stop. `serve` does the work. */
export function serveCommand(serve: (config: Config) => Promise<void>): Command {
  const command = new Command('serve')
    .description('Run the service: read Prometheus, rank every node, export metrics, API and page.')
    .option('--config.file <FILE>', 'YAML file with settings, named as the options are');
  for (const row of Object.values<Row>(options)) command.addOption(optionOf(row));
  command.addHelpText(
    'after',
    `
Each option can also be set in the environment (--prometheus.url is ${environmentName('prometheus.url')})
or in the settings file. The command line wins over the environment, that over the file.

Example:
  $ evictrank serve --prometheus.url=http://localhost:9090 --priority-classes=high=1000,low=-10`,
  );
  return command.action(async (given: Record<string, string | string[] | undefined>) => {
    await serve(loadConfig(sourcesOf(given)));
  });
}

function optionOf(row: Row): Option {
  const shown = row.default === undefined || row.default === '' ? '' : ` (default: ${row.default})`;
  const option = new Option(`--${row.flag} <${row.value}>`, `${row.help}${shown}`);
  return row.isList === true
    ? option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
    : option;
}

/** @throws ConfigError where the settings file cannot be read. */
function sourcesOf(given: Record<string, string | string[] | undefined>) {
  const flags: Record<string, string | string[]> = {};
  for (const row of Object.values<Row>(options)) {
    // commander camel-cases at dashes and leaves dots alone: prometheus.ca-file → prometheus.caFile.
    const value = given[new Option(`--${row.flag} <x>`).attributeName()];
    if (value !== undefined) flags[row.flag] = value;
  }
  const file = given['config.file'] ?? process.env[environmentName('config.file')];
  return {
    flags,
    environment: process.env,
    ...(typeof file === 'string' ? { fileText: readSettingsFile(file) } : {}),
  };
}

function readSettingsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`the settings file ${path} cannot be read (${code ?? 'unknown error'})`]);
  }
}
