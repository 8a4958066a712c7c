import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the promtool tests of every alert must prove; the names stand in the names of the test groups. */
export const kinds = [
  'fires',
  'just before',
  'just below',
  'duplicate series',
  'restart',
  'gone',
  'clusters',
] as const;
export type Kind = (typeof kinds)[number];

export interface ExpectedAlert {
  readonly exp_labels: Readonly<Record<string, string>>;
  readonly exp_annotations: Readonly<Record<string, string>>;
}

export interface Check {
  readonly eval_time: string;
  readonly alertname: string;
  readonly exp_alerts: readonly ExpectedAlert[];
}

export interface TestGroup {
  readonly name: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly alert_rule_test?: readonly Check[];
  readonly promql_expr_test?: readonly {
    readonly expr: string;
    readonly exp_samples: readonly { readonly labels: string; readonly value: number }[];
  }[];
}

export interface TestFile {
  readonly rule_files: readonly string[];
  readonly evaluation_interval: string;
  readonly tests: readonly TestGroup[];
}

/** One test group: `Alert: kind, kind`. */
export interface AlertCase {
  readonly file: TestFile;
  readonly group: TestGroup;
  readonly alert: string;
  readonly kinds: readonly string[];
  readonly checks: readonly Check[];
}

export const testDirectory = new URL('.', import.meta.url);

export const testFileNames = readdirSync(testDirectory).filter((name) => name.endsWith('.test.yaml'));

const testFiles = testFileNames.map(
  (name) => parse(readFileSync(new URL(name, testDirectory), 'utf8')) as TestFile,
);

/** Every test group of an alert, over all files. */
export const alertCases: readonly AlertCase[] = testFiles.flatMap((file) =>
  file.tests
    .filter((group) => group.promql_expr_test === undefined)
    .map((group) => {
      const [alert = '', list = ''] = group.name.split(': ');
      return { file, group, alert, kinds: list.split(', '), checks: group.alert_rule_test ?? [] };
    }),
);

/** Labels, name included, of every sample a test expects of a recorded series. */
export const expectedSamples: readonly string[] = testFiles
  .flatMap(({ tests }) => tests)
  .flatMap((group) => group.promql_expr_test ?? [])
  .flatMap(({ exp_samples }) => exp_samples.map(({ labels }) => labels));

/** `1h10m` in seconds. */
export function readDuration(text: string): number {
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
  return [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? Number.NaN),
    0,
  );
}
