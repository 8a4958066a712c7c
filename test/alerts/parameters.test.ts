import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ParameterName, parameterTable, readParameters } from '../../src/alerts/parameters.ts';
import { buildRuleFiles } from '../../src/alerts/rule-files.ts';
import { metricNames } from './metric-names.ts';
import { runPromtool } from './promtool.ts';
import { type AlertRule, buildDocuments, type RecordingRule } from './rules.ts';

/** A value for every parameter that is not its default. */
const others: Readonly<Record<ParameterName, string>> = {
  namespaces: 'team-.*',
  excludedNamespaces: 'sandbox',
  protectedNamespaces: 'kube-system|payments',
  evictrankSelector: 'tenant="a"',
  kubernetesSelector: 'store=~"b|c"',
  clusterLabel: 'k8s_cluster',
  namespaceLabel: 'kubernetes_namespace',
  podLabel: 'kubernetes_pod',
  containerLabel: 'kubernetes_container',
  nodeLabel: 'kubernetes_node',
  kubeletNodeLabel: 'instance',
  peakRatio: '1.37',
  timeOverShare: '0.41',
  minimumHours: '77',
  distanceBytes: '3Mi',
  headroomShare: '0.031',
  pressureHeadroomBytes: '64Mi',
  trendSeconds: '7200',
  trendHeadroomShare: '0.19',
  guaranteedRank: '9',
  highPriority: '5000',
  highPriorityShare: '0.61',
  evictions: '13',
  oomKills: '17',
  wasteBytes: '5Gi',
  wasteShare: '0.71',
  staleSeconds: '1234',
  coverageRatio: '0.83',
  runbookUrl: 'https://wiki.example.org/evictrank',
  labels: 'team=sre,tier=infra',
  manifestLabels: 'release=monitoring',
};

const textOf = (...settings: string[]) =>
  buildRuleFiles(readParameters(settings))
    .map(({ text }) => text)
    .join('');
const byDefault = textOf();

describe('every parameter', () => {
  test.for(Object.entries(others))('%s changes the rules', ([name, value]) => {
    expect(textOf(`${name}=${value}`)).not.toBe(byDefault);
  });

  test('the default of each is what is built without it', () => {
    const settings = Object.entries(parameterTable).map(([name, { fallback }]) => `${name}=${fallback}`);
    expect(textOf(...settings)).toBe(byDefault);
  });

  test('rules with all of them set pass promtool check rules', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evictrank-alerts-'));
    try {
      const settings = Object.entries(others).map(([name, value]) => `${name}=${value}`);
      for (const { name, text } of buildRuleFiles(readParameters(settings))) {
        if (name === 'prometheusrule.yaml') continue;
        await writeFile(join(directory, name), text);
        const path = join(directory, name);
        const { passed, output } = await runPromtool('check', 'rules', '--lint=all', '--lint-fatal', path);
        expect(passed, output).toBe(true);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

test('the selectors reach every selector of a raw metric', () => {
  const documents = buildDocuments('evictrankSelector=tenant="a"', 'kubernetesSelector=store="b"');
  const rules = [...documents.values()].flatMap(({ groups }) => groups).flatMap((group) => group.rules);
  const expressions = rules.flatMap((rule: AlertRule | RecordingRule) =>
    'alert' in rule ? [rule.expr, rule.annotations.description] : [rule.expr],
  );
  const selectors = /\b((?:evictrank|kube|kubelet|container|pod)_\w+)(\{(?:[^}"]|"(?:[^"\\]|\\.)*")*\})?/g;
  for (const expression of expressions) {
    const read = metricNames(expression);
    for (const [, name = '', matchers] of expression.matchAll(selectors)) {
      if (!read.includes(name)) continue;
      expect(matchers, name).toContain(name.startsWith('evictrank_') ? 'tenant="a"' : 'store="b"');
    }
  }
});

test('extra labels are on every alert and leave its severity alone', () => {
  const rules =
    buildDocuments('labels=team=sre')
      .get('evictrank.rules.yaml')
      ?.groups.flatMap((g) => g.rules) ?? [];
  expect(rules).not.toHaveLength(0);
  for (const rule of rules) {
    expect(rule).toHaveProperty('labels.team', 'sre');
    expect(rule).toHaveProperty('labels.severity');
  }
});

describe('a bad setting is refused', () => {
  const bad: readonly (readonly [sentence: string, settings: readonly string[], message: RegExp])[] = [
    ['an unknown name', ['ratio=2'], /ratio: no such parameter/],
    ['a name of the object prototype', ['toString=2'], /toString: no such parameter/],
    ['a name without a value', ['peakRatio'], /expected peakRatio=value/],
    ['a word for a number', ['peakRatio=much'], /^peakRatio: /],
    ['an empty number', ['peakRatio='], /^peakRatio: /],
    ['a share above one', ['timeOverShare=25'], /^timeOverShare: /],
    ['an unknown unit', ['wasteBytes=4GB'], /wasteBytes: expected a whole number of bytes/],
    ['a regular expression that is none', ['namespaces=('], /namespaces: expected a regular expression/],
    [
      'a look-ahead, which Prometheus does not know',
      ['namespaces=(?!kube).*'],
      /expected a regular expression/,
    ],
    ['a selector that closes the braces', ['evictrankSelector=a="b"} or vector(1)'], /expected matchers/],
    ['a backtick in a selector', ['evictrankSelector=a="`"'], /without a backtick/],
    ['a label that is the severity', ['labels=severity=critical'], /other than alertname and severity/],
    ['an address that is none', ['runbookUrl=wiki'], /^runbookUrl: /],
    ['all of several', ['peakRatio=much', 'ratio=2'], /ratio: no such parameter\npeakRatio: /],
  ];
  test.for(bad)('%s', ([, settings, message]) => {
    expect(() => readParameters(settings)).toThrow(message);
  });

  test('a value may contain an equals sign', () => {
    expect(readParameters(['evictrankSelector=job="a=b"']).evictrankSelector).toBe('job="a=b"');
  });
});
