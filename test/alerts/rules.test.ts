import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { capacityAlerts } from '../../src/alerts/capacity-alerts.ts';
import { eventAlerts } from '../../src/alerts/event-alerts.ts';
import { nodeAlerts } from '../../src/alerts/node-alerts.ts';
import { readParameters } from '../../src/alerts/parameters.ts';
import { podAlerts } from '../../src/alerts/pod-alerts.ts';
import type { Subject } from '../../src/alerts/rule.ts';
import { buildRuleFiles } from '../../src/alerts/rule-files.ts';
import { serviceAlerts } from '../../src/alerts/service-alerts.ts';
import { metrics } from '../../src/outputs/metrics/catalogue.ts';
import { metricNames } from './metric-names.ts';
import { runPromtool } from './promtool.ts';
import { alertRules, type RuleDocument, recordingRules, ruleFileNames } from './rules.ts';

const alertsDirectory = new URL('../../alerts/', import.meta.url);
const parameters = readParameters([]);

/** Metrics of others that rules may use (kube-state-metrics, kubelet, cAdvisor, kube-scheduler, Prometheus). */
const foreignMetrics = new Set([
  'container_memory_working_set_bytes',
  'kube_pod_container_resource_requests',
  'kube_pod_container_status_last_terminated_reason',
  'kube_pod_container_status_restarts_total',
  'kube_pod_info',
  'kube_pod_init_container_info',
  'kube_pod_init_container_resource_requests',
  'kube_pod_overhead_memory_bytes',
  'kube_pod_resource_request',
  'kube_pod_status_phase',
  'kube_pod_status_reason',
  'kubelet_evictions',
  'pod_memory_working_set_bytes',
  'up',
]);

describe('the committed files', () => {
  test.for(buildRuleFiles(parameters))('$name is what the build writes by default', ({ name, text }) => {
    expect(readFileSync(new URL(name, alertsDirectory), 'utf8')).toBe(text);
  });

  test.for(ruleFileNames)('%s passes promtool check rules with every lint', async (name) => {
    const path = fileURLToPath(new URL(name, alertsDirectory));
    const { passed, output } = await runPromtool('check', 'rules', '--lint=all', '--lint-fatal', path);
    expect(passed, output).toBe(true);
  });

  test('the PrometheusRule holds the groups of the alerts and of the recording rules', () => {
    const read = (name: string) => readFileSync(new URL(name, alertsDirectory), 'utf8');
    const groupsOf = (name: string) => (parse(read(name)) as RuleDocument).groups;
    const manifest = parse(read('prometheusrule.yaml')) as { kind: string; spec: RuleDocument };
    expect(manifest.kind).toBe('PrometheusRule');
    expect(manifest.spec.groups).toEqual([
      ...groupsOf('evictrank.rules.yaml'),
      ...groupsOf('recording.rules.yaml'),
    ]);
  });
});

describe('every alert', () => {
  test.for(alertRules)('$alert has what a responder needs', ({ alert, labels, annotations, ...rule }) => {
    expect(alert).toMatch(/^Evictrank[A-Z]\w+$/);
    expect(['info', 'warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^[^{}]+\.$/);
    expect(annotations.runbook_url).toBe(`${parameters.runbookUrl}#${alert.toLowerCase()}`);
    expect(rule.keep_firing_for).toMatch(/^\d+[mh]$/);
    // What to do is a command, or a setting.
    expect(annotations.description).toMatch(/`(evictrank|kubectl|honor_labels)/);
  });

  const mustName: Readonly<Record<Subject, readonly string[]>> = {
    pod: ['namespace', 'pod', 'node', 'cluster'],
    node: ['node', 'cluster'],
    workload: ['namespace', 'workload_kind', 'workload', 'cluster'],
    cluster: ['cluster'],
    service: [],
  };
  const definitions = [podAlerts, nodeAlerts, eventAlerts, capacityAlerts, serviceAlerts].flatMap((family) =>
    family(parameters),
  );
  test.for(definitions)('$alert describes its $about by name', ({ about, description }) => {
    for (const label of mustName[about]) expect(description).toContain(`$labels.${label}`);
  });
  test.for(definitions.filter(({ about }) => about !== 'service'))(
    '$alert gives its number in human units',
    ({ alert, description }) => {
      const isYesOrNo = alert === 'EvictrankNodeWithoutUsageData';
      expect(/\$value \| humanize/.test(description)).toBe(!isYesOrNo);
      expect(description).not.toMatch(/\$value(?! \| humanize)/);
    },
  );

  test('only an event is reported without waiting', () => {
    const atOnce = alertRules.filter((rule) => rule.for === undefined).map(({ alert }) => alert);
    expect(atOnce).toEqual(eventAlerts(parameters).map(({ alert }) => alert));
  });

  test('only a node that evicts now is critical, never a rank', () => {
    const critical = alertRules.filter(({ labels }) => labels.severity === 'critical');
    expect(critical.map(({ alert }) => alert)).toEqual(['EvictrankNodeUnderMemoryPressure']);
    for (const { expr } of critical)
      expect(metricNames(expr)).not.toContain(metrics.podEvictionRiskRank.name);
  });
});

describe('metrics', () => {
  const known = new Set([
    ...Object.values(metrics).map(({ name }) => name),
    ...recordingRules.map(({ record }) => record),
    ...foreignMetrics,
  ]);
  const queries = alertRules.flatMap(({ alert, annotations }) =>
    [...annotations.description.matchAll(/printf `([^`]*)`/g)].map(([, query = '']) => ({
      rule: `${alert}, description`,
      expr: query.replaceAll('%q', '""'),
    })),
  );
  const expressions = [
    ...alertRules.map(({ alert, expr }) => ({ rule: alert, expr })),
    ...recordingRules.map(({ record, expr }) => ({ rule: record, expr })),
    ...queries,
  ];
  test.for(expressions)('$rule reads only metrics that exist', ({ expr }) => {
    const names = metricNames(expr);
    expect(names).not.toHaveLength(0);
    for (const name of names) expect(known).toContain(name);
  });

  test('no metric of others is listed in vain', () => {
    const read = new Set(expressions.flatMap(({ expr }) => metricNames(expr)));
    for (const name of foreignMetrics) expect(read).toContain(name);
  });

  test('the alert file needs no recording rule', () => {
    const recorded = new Set(recordingRules.map(({ record }) => record));
    const standalone = 'EvictrankStandalonePodOverRequest';
    for (const { alert, expr } of alertRules.filter((rule) => rule.alert !== standalone)) {
      expect(
        metricNames(expr).filter((name) => recorded.has(name)),
        alert,
      ).toEqual([]);
    }
  });

  test.for(recordingRules.map(({ record }) => record))('%s is level:metric:operations', (record) => {
    expect(record).toMatch(/^[a-z_]+:[a-z_]+:[a-z0-9_]+$/);
  });
});

describe('cost of the standalone rules', () => {
  const expressions = [...recordingRules, ...alertRules].map(({ expr }) => expr);
  test('no range over raw series is longer than an hour', () => {
    const days = expressions.flatMap((expr) => [...expr.matchAll(/([\w:]+)(?:\{[^}]*\})?\[(\d+)d\]/g)]);
    expect(days).not.toHaveLength(0);
    for (const [, name] of days) expect(name).toContain(':');
  });
});
