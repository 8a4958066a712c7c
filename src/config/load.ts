import { z } from 'zod';
import { EvictrankError } from '../foundation/errors.ts';
import { environmentName, type OptionTable, type Settings } from './option.ts';
import { parseSecretYaml } from './secret-yaml.ts';

/** Every problem of the settings at once, one line each. */
export class ConfigError extends EvictrankError {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The settings have ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Where settings come from; the command line wins over the environment, that over the file, that over the default. */
export interface SettingSources {
  /** By flag name without dashes; lists for repeated flags. */
  readonly flags: Readonly<Record<string, string | readonly string[]>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text of the YAML settings file, keyed by flag name. */
  readonly fileText?: string;
}

/** Settings that only make sense together. */
export interface Combination<Table extends OptionTable> {
  readonly isBroken: (settings: Partial<Settings<Table>>) => boolean;
  readonly problem: string;
}

const fileSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]),
);

/**
 * Reads, checks and freezes the settings of a table.
 * @throws ConfigError with every problem found, each naming the setting, where it was set and what was expected.
 */
export function loadSettings<Table extends OptionTable>(
  table: Table,
  sources: SettingSources,
  combinations: readonly Combination<Table>[] = [],
): Settings<Table> {
  const problems: string[] = [];
  const file = readFile(sources.fileText, problems);
  const known = new Set(Object.values(table).map((row) => row.flag));
  for (const name of Object.keys(file)) {
    if (!known.has(name)) problems.push(`unknown setting "${name}" in the settings file`);
  }

  const settings: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(table)) {
    const [raw, origin] = pick(row.flag, sources, file);
    const given = raw ?? row.default;
    if (given === undefined && row.isList !== true) {
      problems.push(`--${row.flag} is missing: ${row.help} (also ${environmentName(row.flag)})`);
      continue;
    }
    const parsed = row.schema.safeParse(row.isList === true ? toList(given) : String(given));
    if (parsed.success) settings[key] = parsed.data;
    else problems.push(...parsed.error.issues.map((issue) => `${origin} ${issue.message}`));
  }
  // A setting that is wrong by itself is undefined here, so combinations are told in the same message.
  problems.push(
    ...combinations
      .filter((row) => row.isBroken(settings as Partial<Settings<Table>>))
      .map((row) => row.problem),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(settings) as Settings<Table>;
}

type Raw = string | readonly string[] | undefined;

function pick(flag: string, sources: SettingSources, file: Record<string, Raw>): [Raw, string] {
  const variable = environmentName(flag);
  if (sources.flags[flag] !== undefined) return [sources.flags[flag], `--${flag}`];
  if (sources.environment[variable] !== undefined) return [sources.environment[variable], variable];
  if (file[flag] !== undefined) return [file[flag], `"${flag}" in the settings file`];
  return [undefined, `--${flag}`];
}

function toList(raw: Raw): readonly string[] {
  if (raw === undefined) return [];
  // In the environment a list is one entry per line, since values may contain commas.
  return typeof raw === 'string' ? raw.split('\n').filter((line) => line !== '') : raw;
}

function readFile(text: string | undefined, problems: string[]): Record<string, Raw> {
  if (text === undefined) return {};
  const { content, problem } = parseSecretYaml(text);
  const parsed = fileSchema.safeParse(content ?? {});
  if (problem !== undefined) problems.push(`the settings file ${problem}`);
  else if (!parsed.success) {
    problems.push('the settings file must map setting names to texts, numbers, true/false or lists of them');
  }
  return Object.fromEntries(
    Object.entries(parsed.data ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  );
}
