import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { ConfigError, type SettingSources } from '../../config/load.ts';
import { environmentName, type Option as Row } from '../../config/option.ts';
import { options } from '../../config/options.ts';

/** Options of a command as commander has them, by attribute name. */
export type Given = Readonly<Record<string, unknown>>;

/** Adds settings of the option table, and the option for the file they may stand in. */
export function addSettings(command: Command, rows: readonly Row[], group = 'Options:'): void {
  command.addOption(
    new Option('--config.file <FILE>', 'YAML file with settings, named as the options are').helpGroup(group),
  );
  for (const row of rows) command.addOption(settingOption(row).helpGroup(group));
}

/** An option that may be repeated: the values in a list. */
export function repeatable(option: Option): Option {
  return option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
}

function settingOption(row: Row): Option {
  const shown = row.default === undefined || row.default === '' ? '' : ` (default: ${row.default})`;
  const option = new Option(`--${row.flag} <${row.value}>`, `${row.help}${shown}`);
  return row.isList === true ? repeatable(option) : option;
}

/**
 * Where the settings come from for one run of a command.
 * @throws ConfigError where the settings file cannot be read.
 */
export function settingSources(given: Given, environment: SettingSources['environment']): SettingSources {
  const flags: Record<string, string | string[]> = {};
  for (const row of Object.values<Row>(options)) {
    // commander camel-cases at dashes and leaves dots alone: prometheus.ca-file → prometheus.caFile.
    const value = given[new Option(`--${row.flag} <x>`).attributeName()];
    if (value !== undefined) flags[row.flag] = value as string | string[];
  }
  const file = given['config.file'] ?? environment[environmentName('config.file')];
  return {
    flags,
    environment,
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
