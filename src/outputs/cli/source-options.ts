import { type Command, Option } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { loadSettings, type SettingSources } from '../../config/load.ts';
import { environmentName, option, type Option as Row } from '../../config/option.ts';
import { type Config, options } from '../../config/options.ts';
import { optionalText } from '../../config/schemas.ts';
import type { ClusterFileNames } from '../../inputs/kubernetes/cluster-files.ts';
import { addSettings, type Given, repeatable, settingSources } from './settings.ts';
import { UsageError } from './usage-error.ts';

/** Settings that need no Prometheus. */
export type LocalConfig = Omit<Config, 'prometheusUrl'>;

/** Where a reading command gets its data. Files of PriorityClasses go with every source. */
export type Source =
  | { readonly kind: 'files'; readonly config: LocalConfig; readonly files: ClusterFileNames }
  | { readonly kind: 'snapshot'; readonly file: string }
  | { readonly kind: 'prometheus'; readonly config: Config; readonly priorityClassFiles: readonly string[] };

/** Settings of the table that a reading command uses. */
const readingSettings = /^(?:prometheus\.|labels\.|kubelet\.|window\.duration$|review\.)/;

export function addSourceOptions(command: Command): void {
  addFileOptions(command);
  command.addOption(
    new Option('--snapshot <FILE>', 'read what evictrank snapshot wrote').helpGroup('Source, a snapshot:'),
  );
  addPrometheusOptions(command);
}

/** The Prometheus with its settings, and values of PriorityClasses. */
export function addPrometheusOptions(command: Command): void {
  command.addOption(
    repeatable(
      new Option(
        '--priority-classes <FILE|NAME=VALUE,…>',
        'values of PriorityClasses: kubectl get priorityclasses -o json, or name=value; may be repeated',
      ),
    ).helpGroup('Options:'),
  );
  const rows = Object.values<Row>(options).filter(({ flag }) => readingSettings.test(flag));
  addSettings(command, rows, 'Source, a Prometheus:');
}

function addFileOptions(command: Command): void {
  const group = 'Source, files of kubectl:';
  for (const [flags, help] of [
    ['--pods <FILE...>', 'kubectl get pods -A -o json; - is standard input'],
    ['--nodes <FILE...>', 'kubectl get nodes -o json; adds allocatable memory and nodes without pods'],
    ['--summary <FILE...>', 'kubectl get --raw /api/v1/nodes/NODE/proxy/stats/summary, one file per node'],
  ] as const) {
    command.addOption(new Option(flags, help).helpGroup(group));
  }
}

/**
 * Chooses the source from the options. Files and snapshots given win over a Prometheus named in the environment.
 * @throws UsageError, ConfigError
 */
export function chooseSource(given: Given, environment: SettingSources['environment']): Source {
  const [pods, nodes, summaries] = [listOf(given.pods), listOf(given.nodes), listOf(given.summary)];
  const hasFiles = pods.length + nodes.length + summaries.length > 0;
  const { snapshot } = given;
  const named = [
    hasFiles ? '--pods' : undefined,
    snapshot === undefined ? undefined : '--snapshot',
    given['prometheus.url'] === undefined ? undefined : '--prometheus.url',
  ].filter((name) => name !== undefined);
  if (named.length > 1) throw new UsageError(`${named.join(' and ')} are different sources: choose one`);

  if (typeof snapshot === 'string') return { kind: 'snapshot', file: snapshot };
  if (!hasFiles) return prometheusSource(given, environment);
  if (pods.length === 0) throw new UsageError('--pods is missing (kubectl get pods -A -o json > pods.json)');
  if (summaries.length === 0) {
    throw new UsageError(
      '--summary is missing, and with it all usage (kubectl get --raw /api/v1/nodes/NODE/proxy/stats/summary > NODE.json)',
    );
  }
  const { sources, priorityClassFiles } = splitPriorityClasses(given, environment);
  return {
    kind: 'files',
    config: loadLocalConfig(sources),
    files: { pods, nodes, summaries, priorityClasses: priorityClassFiles },
  };
}

/** @throws UsageError where no source is given at all, ConfigError. */
export function prometheusSource(
  given: Given,
  environment: SettingSources['environment'],
): Extract<Source, { kind: 'prometheus' }> {
  const { sources, priorityClassFiles } = splitPriorityClasses(given, environment);
  const isNamed =
    sources.flags['prometheus.url'] !== undefined ||
    environment[environmentName('prometheus.url')] !== undefined ||
    sources.fileText !== undefined;
  if (!isNamed) {
    throw new UsageError(
      'no source: give --prometheus.url URL, --snapshot FILE, or --pods FILE with --summary FILE (see --help)',
    );
  }
  return { kind: 'prometheus', config: loadConfig(sources), priorityClassFiles };
}

/** An entry without "=" is a file; the others are the setting of the same name. */
function splitPriorityClasses(given: Given, environment: SettingSources['environment']) {
  const sources = settingSources(given, environment);
  const entries = listOf(given.priorityClasses);
  const { 'priority-classes': _all, ...flags } = sources.flags;
  const mappings = entries.filter((entry) => entry.includes('='));
  return {
    sources: { ...sources, flags: mappings.length > 0 ? { ...flags, 'priority-classes': mappings } : flags },
    priorityClassFiles: entries.filter((entry) => !entry.includes('=')),
  };
}

function loadLocalConfig(sources: SettingSources): LocalConfig {
  const prometheusUrl = option({ ...options.prometheusUrl, default: '', schema: optionalText });
  return loadSettings({ ...options, prometheusUrl }, sources);
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
