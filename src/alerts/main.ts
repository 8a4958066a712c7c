#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { describeError } from '../foundation/errors.ts';
import { ParameterError, readParameters } from './parameters.ts';
import { buildRuleFiles, type RuleFile } from './rule-files.ts';

interface Options {
  readonly set: readonly string[];
  readonly out: string;
  readonly check?: true;
}

const defaultDirectory = fileURLToPath(new URL('../../alerts', import.meta.url));

const command = new Command('build:alerts')
  .description('Write the rule files and the PrometheusRule manifest.')
  .option(
    '--set <name=value>',
    'set a parameter (repeatable); docs/alerts.md lists them',
    (setting: string, settings: readonly string[]) => [...settings, setting],
    [],
  )
  .option('--out <directory>', 'directory to write to', defaultDirectory)
  .option('--check', 'write nothing; fail if the files there differ')
  .exitOverride()
  .action(run);

// 0 done, 1 failed, 2 bad usage, as with the `evictrank` command.
try {
  await command.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(describeError(error));
    process.exitCode = error instanceof ParameterError ? 2 : 1;
  }
}

async function run({ set, out, check }: Options): Promise<void> {
  const files = buildRuleFiles(readParameters(set));
  if (check) {
    const stale = await findStaleFiles(files, out);
    for (const name of stale) console.error(`${join(out, name)} differs from what src/alerts builds`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  await mkdir(out, { recursive: true });
  for (const { name, text } of files) await writeFile(join(out, name), text);
}

async function findStaleFiles(files: readonly RuleFile[], directory: string): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const { name, text } of files) {
    const present = await readFile(join(directory, name), 'utf8').catch(() => undefined);
    if (present !== text) stale.push(name);
  }
  return stale;
}
