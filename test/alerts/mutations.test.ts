import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type AlertCase, alertCases, type Kind, readDuration } from './cases.ts';
import { runPromtool } from './promtool.ts';
import { type AlertRule, alertRules, recordingRules } from './rules.ts';

// The promtool tests are worth what they notice: each rule is bent a little, and a group that claims to prove
// what was bent must fail.

interface Shift {
  readonly alert: string;
  /** Piece of the expression that holds the limit. */
  readonly limit: string;
  /** Lets pass what is just below: the group `just below` must fail. */
  readonly looser: string;
  /** Demands more than there is: the group `fires` must fail. */
  readonly stricter: string;
}

const shifts: readonly Shift[] = [
  shift('EvictrankPodOverRequest', '> 1.1', '> 1.09', '> 1.5'),
  shift('EvictrankPodOverRequest', '> 0.25', '> 0.24', '> 0.5'),
  shift('EvictrankPodNextToGo', '< 536870912', '< 536870913', '< 314572800'),
  shift('EvictrankPodNextToGo', '< 0.05', '< 0.0501', '< 0.01'),
  shift('EvictrankGuaranteedPodRankedFirst', '<= 3', '<= 4', '<= 2'),
  shift('EvictrankGuaranteedPodRankedFirst', '< on', '<= on', '> on'),
  shift('EvictrankImportantPodExceedsRequest', '"1000|', '"999|1000|', '"9999|'),
  shift(
    'EvictrankBestEffortPodInProtectedNamespace',
    'namespace=~"kube-system"',
    'namespace=~"shop|kube-system"',
    'namespace=~"kube-public"',
  ),
  shift('EvictrankNodeThresholdPredicted', ') < 3600', ') < 5400', ') < 1200'),
  shift(
    'EvictrankNodeThresholdPredicted',
    '[10m:1m], 3600) < 0',
    '[10m:1m], 3600) < 1e9',
    '[10m:1m], 3600) < -1e9',
  ),
  shift('EvictrankNodeThresholdPredicted', '>= 30', '>= 5', '>= 3000'),
  shift('EvictrankNodeThresholdPredicted', '< 0.25', '< 0.6', '< 0.01'),
  shift('EvictrankNodeUnderMemoryPressure', '> 0', '>= 0', '> 16777216'),
  shift('EvictrankPodsEvicted', '>= 1', '>= 0', '>= 3'),
  shift('EvictrankPodsEvicted', 'up offset 15m == 1', 'up', 'up offset 15m == 0'),
  shift('EvictrankPodOomKilledWithoutPressure', '[15m])) > 0', '[15m])) > -2', '[15m])) > 2147483648'),
  shift('EvictrankPodOomKilledWithoutPressure', '>= 1', '>= 0', '>= 2'),
  shift('EvictrankWorkloadRequestWaste', '> 4294967296', '> 3e9', '> 6442450944'),
  shift('EvictrankWorkloadRequestWaste', '> 0.5', '> 0.49', '> 0.7'),
  shift('EvictrankWorkloadRequestWaste', '>= 0.9', '>= 0.89', '> 1'),
  shift('EvictrankPriorityInflation', '> 0.5', '> 0.49', '> 0.6'),
  shift('EvictrankPriorityInflation', '"1000|', '"999|1000|', '"9999|'),
  shift('EvictrankAbsent', 'absent(', 'vector(1) or absent(', '0 == absent('),
  shift('EvictrankStale', '> 900', '> 899', '> 1300'),
  shift('EvictrankSourceDown', '< 1', '<= 1', '< 0'),
  shift('EvictrankInputsIncomplete', '> 0', '>= 0', '> 3'),
  shift('EvictrankWindowNotCovered', '< 0.9', '<= 0.9', '< 0.89'),
  shift('EvictrankNodeWithoutUsageData', '< 1', '<= 1', '< 0'),
  shift('EvictrankLabelsRenamed', 'exported_namespace!=""', 'namespace!=""', 'exported_namespace="none"'),
  shift('EvictrankStandalonePodOverRequest', '> 1.1', '> 1.09', '> 1.5'),
  shift('EvictrankStandalonePodOverRequest', '> 0.25', '> 0.2', '> 1'),
  shift('EvictrankStandalonePodOverRequest', '>= 24', '>= 22', '>= 40'),
];

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evictrank-mutations-'));
});
afterAll(() => rm(directory, { recursive: true }));

test('every alert has a limit to shift', () => {
  expect(new Set(shifts.map(({ alert }) => alert))).toEqual(new Set(alertRules.map(({ alert }) => alert)));
});

describe.concurrent('a shifted limit is noticed', () => {
  test.for(shifts)('$alert: $limit → $looser or $stricter', async ({ alert, limit, looser, stricter }) => {
    const rule = ruleOf(alert);
    expect(rule.expr).toContain(limit);
    const withLimit = (other: string) => ({ ...rule, expr: rule.expr.replaceAll(limit, other) });
    expect(await notices(withLimit(looser), 'just below')).toBe(true);
    expect(await notices(withLimit(stricter), 'fires')).toBe(true);
  });
});

describe.concurrent('a shorter or a lost duration is noticed', () => {
  const waiting = alertRules.filter((rule) => rule.for !== undefined);
  test.for(waiting.map(({ alert }) => alert))('%s without the last moment of `for`', async (alert) => {
    const rule = ruleOf(alert);
    const interval = readDuration(intervalOf(casesOf(alert, 'just before')));
    const shorter = Math.max(readDuration(rule.for ?? '') - interval, 0);
    expect(await notices({ ...rule, for: `${shorter}s` }, 'just before')).toBe(true);
  });
  test.for(alertRules.map(({ alert }) => alert))('%s without `keep_firing_for`', async (alert) => {
    const { keep_firing_for: _, ...rule } = ruleOf(alert);
    expect(await notices(rule, 'gone')).toBe(true);
  });
});

describe.concurrent('series that are not merged, or clusters that are, are noticed', () => {
  const merging = alertRules.filter(({ expr }) => expr.includes('max by ('));
  test.for(merging.map(({ alert }) => alert))('%s by scrape', async (alert) => {
    const rule = ruleOf(alert);
    const apart = rule.expr.replaceAll(/(max|min) by \(/g, '$1 by (instance, job, replica, ');
    expect(await notices({ ...rule, expr: apart }, 'duplicate series')).toBe(true);
  });
  test.for(merging.map(({ alert }) => alert))('%s without the cluster', async (alert) => {
    const rule = ruleOf(alert);
    const together = rule.expr.replaceAll(/\(cluster(, |\))/g, (_, end: string) =>
      end === ')' ? '()' : '(',
    );
    expect(await notices({ ...rule, expr: together }, 'clusters')).toBe(true);
  });
});

function shift(alert: string, limit: string, looser: string, stricter: string): Shift {
  return { alert, limit, looser, stricter };
}

function ruleOf(alert: string): AlertRule {
  const rule = alertRules.find((each) => each.alert === alert);
  if (rule === undefined) throw new Error(`no alert ${alert}`);
  return rule;
}

function casesOf(alert: string, kind: Kind): readonly AlertCase[] {
  return alertCases.filter((each) => each.alert === alert && each.kinds.includes(kind));
}

function intervalOf(cases: readonly AlertCase[]): string {
  const interval = cases[0]?.file.evaluation_interval;
  if (interval === undefined) throw new Error('no such case');
  return interval;
}

/** True where a test group of that kind fails with the rule in place of the real one. */
async function notices(rule: AlertRule, kind: Kind): Promise<boolean> {
  const cases = casesOf(rule.alert, kind);
  const base = await mkdtemp(join(directory, 'case-'));
  const rules = { groups: [{ name: 'mutated', rules: [...recordingRules, rule] }] };
  await writeFile(join(base, 'rules.yaml'), stringify(rules, { lineWidth: 0 }));
  const tests = {
    rule_files: ['rules.yaml'],
    evaluation_interval: intervalOf(cases),
    tests: cases.map(({ group }) => group),
  };
  await writeFile(join(base, 'test.yaml'), stringify(tests, { lineWidth: 0, aliasDuplicateObjects: false }));
  const { passed, output } = await runPromtool('test', 'rules', join(base, 'test.yaml'));
  // A rule that no longer parses would fail any test.
  expect(output).not.toMatch(/could not parse|parse error/);
  return !passed;
}
