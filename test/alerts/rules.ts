import { parse } from 'yaml';
import { readParameters } from '../../src/alerts/parameters.ts';
import { buildRuleFiles } from '../../src/alerts/rule-files.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>;
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

export interface RuleDocument {
  readonly groups: readonly {
    readonly name: string;
    readonly rules: readonly (AlertRule | RecordingRule)[];
  }[];
}

export const ruleFileNames = [
  'evictrank.rules.yaml',
  'recording.rules.yaml',
  'standalone.rules.yaml',
] as const;

/** The rule files as the build would write them with these settings, parsed. */
export function buildDocuments(...settings: readonly string[]): ReadonlyMap<string, RuleDocument> {
  const files = buildRuleFiles(readParameters(settings));
  return new Map(
    files
      .filter(({ name }) => name.endsWith('.rules.yaml'))
      .map(({ name, text }) => [name, parse(text) as RuleDocument]),
  );
}

const rules = [...buildDocuments().values()]
  .flatMap(({ groups }) => groups)
  .flatMap(({ rules: some }) => some);

export const alertRules = rules.filter((rule): rule is AlertRule => 'alert' in rule);
export const recordingRules = rules.filter((rule): rule is RecordingRule => 'record' in rule);
