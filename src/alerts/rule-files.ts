import { stringify } from 'yaml';
import { capacityAlerts } from './capacity-alerts.ts';
import { eventAlerts } from './event-alerts.ts';
import { nodeAlerts } from './node-alerts.ts';
import type { Parameters } from './parameters.ts';
import { podAlerts } from './pod-alerts.ts';
import { recordingRules } from './recording-rules.ts';
import { type AlertDefinition, type RuleGroup, toAlertRule } from './rule.ts';
import { serviceAlerts } from './service-alerts.ts';
import { standaloneGroups } from './standalone-rules.ts';

export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

const notice = ' Written by `npm run build:alerts` from src/alerts; change it there, or with --set.';

/** Groups of `evictrank.rules.yaml`: one row per family of alerts. */
const alertGroups: Readonly<Record<string, (parameters: Parameters) => readonly AlertDefinition[]>> = {
  'evictrank-pods': podAlerts,
  'evictrank-nodes': nodeAlerts,
  'evictrank-events': eventAlerts,
  'evictrank-capacity': capacityAlerts,
  'evictrank-service': serviceAlerts,
};

/** Every file the build writes. */
export function buildRuleFiles(parameters: Parameters): readonly RuleFile[] {
  const alerts = Object.entries(alertGroups).map(
    ([name, definitions]): RuleGroup => ({
      name,
      rules: definitions(parameters).map((definition) => toAlertRule(parameters, definition)),
    }),
  );
  const recordings: RuleGroup[] = [{ name: 'evictrank-recording', rules: recordingRules(parameters) }];
  const manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'evictrank',
      labels: { 'app.kubernetes.io/name': 'evictrank', ...parameters.manifestLabels },
    },
    spec: { groups: [...alerts, ...recordings] },
  };
  return [
    { name: 'evictrank.rules.yaml', text: toYaml({ groups: alerts }) },
    { name: 'recording.rules.yaml', text: toYaml({ groups: recordings }) },
    { name: 'standalone.rules.yaml', text: toYaml({ groups: standaloneGroups(parameters) }) },
    { name: 'prometheusrule.yaml', text: toYaml(manifest) },
  ];
}

/** Lines are not folded: an expression reads as it was written, and a description greps as one line. */
function toYaml(document: unknown): string {
  const body = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' });
  return `#${notice}\n${body}`;
}
