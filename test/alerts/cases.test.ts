import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type AlertCase,
  alertCases,
  expectedSamples,
  type Kind,
  kinds,
  readDuration,
  testDirectory,
  testFileNames,
} from './cases.ts';
import { runPromtool } from './promtool.ts';
import { alertRules, recordingRules } from './rules.ts';

/** What cannot be shown of an alert, and why. */
const exempt: readonly (readonly [alert: string, kind: Kind, reason: string])[] = [
  ['EvictrankAbsent', 'clusters', 'absent() has no series to take a cluster from'],
];

/** What a group that claims to prove a kind must look like. */
const proves: Readonly<Record<Kind, (alertCase: AlertCase) => boolean>> = {
  fires: ({ checks }) =>
    checks.some(({ exp_alerts }) => exp_alerts.length > 0) &&
    checks
      .flatMap(({ exp_alerts }) => exp_alerts)
      .every(
        ({ exp_labels, exp_annotations }) =>
          exp_labels.severity !== undefined &&
          ['summary', 'description', 'runbook_url'].every((name) => (exp_annotations[name] ?? '') !== ''),
      ),
  'just before': ({ file, checks }) => {
    const interval = readDuration(file.evaluation_interval);
    const silent = new Set(
      checks.filter((check) => check.exp_alerts.length === 0).map((check) => readDuration(check.eval_time)),
    );
    const firing = checks.filter((check) => check.exp_alerts.length > 0);
    return firing.some((check) => silent.has(readDuration(check.eval_time) - interval));
  },
  'just below': ({ group, checks }) =>
    group.input_series.length > 0 && checks.every(({ exp_alerts }) => exp_alerts.length === 0),
  'duplicate series': ({ group }) => {
    const withoutOrigin = group.input_series.map(({ series }) =>
      series.replaceAll(/(?<=[{,])(?:instance|job|replica)="[^"]*",?/g, '').replace(/,}$/, '}'),
    );
    return new Set(withoutOrigin).size < withoutOrigin.length;
  },
  restart: ({ group }) => group.input_series.some(({ values }) => /stale|_x/.test(values)),
  gone: ({ group, checks }) =>
    group.input_series.some(({ values }) => values.endsWith('stale')) &&
    checks.some(({ exp_alerts }) => exp_alerts.length > 0) &&
    checks.at(-1)?.exp_alerts.length === 0,
  clusters: ({ checks }) =>
    checks.some(
      ({ exp_alerts }) => new Set(exp_alerts.map(({ exp_labels }) => exp_labels.cluster ?? '')).size > 1,
    ),
};

describe('promtool test rules', () => {
  test.for(testFileNames)('%s passes', async (name) => {
    const { passed, output } = await runPromtool(
      'test',
      'rules',
      fileURLToPath(new URL(name, testDirectory)),
    );
    expect(passed, output).toBe(true);
  });
});

describe('every alert has promtool tests', () => {
  const wanted = alertRules.flatMap(({ alert }) => kinds.map((kind) => [alert, kind] as const));
  test.for(wanted)('%s: %s', ([alert, kind], { skip }) => {
    const reason = exempt.find(([name, without]) => name === alert && without === kind)?.[2];
    if (reason !== undefined) skip(reason);
    const claiming = alertCases.filter((each) => each.alert === alert && each.kinds.includes(kind));
    expect(claiming).not.toHaveLength(0);
    for (const each of claiming)
      expect(proves[kind](each), `${each.group.name} does not prove it`).toBe(true);
  });
});

describe('no test group proves nothing', () => {
  test.for(alertCases.map((each) => [each.group.name, each] as const))('%s', ([, each]) => {
    expect(alertRules.map(({ alert }) => alert)).toContain(each.alert);
    for (const kind of each.kinds) expect(kinds).toContain(kind);
    expect(each.checks).not.toHaveLength(0);
    // promtool takes a check without these for one of nothing, or of another alert, and passes.
    for (const check of each.checks) {
      expect(check.alertname).toBe(each.alert);
      expect(readDuration(check.eval_time)).toBeGreaterThan(0);
      expect(check.exp_alerts).toBeInstanceOf(Array);
    }
  });
});

test.for(recordingRules.map(({ record }) => record))(
  'the recorded series %s has a promtool test',
  (record) => {
    expect(expectedSamples.some((labels) => labels.split('{')[0] === record)).toBe(true);
  },
);
