import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { externalMetrics } from '../../src/dashboards/queries/external.ts';
import { type MetricFamily, metrics } from '../../src/outputs/metrics/catalogue.ts';
import { committedFiles, expressionsOf, readBoard } from './committed.ts';
import { interpolate } from './interpolate.ts';

const time = { startSeconds: 0, endSeconds: 21_600, stepSeconds: 60, scrapeIntervalSeconds: 30 };
const choices = { cluster: '.*', namespace: 'shop', node: 'worker-1', workload: 'cart', pod: 'cart-0' };

/** Series names of a family: histograms are exported under three. */
function seriesNames(family: MetricFamily): string[] {
  const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  return suffixes.map((suffix) => `${family.name}${suffix}`);
}

const families = new Map(
  Object.values(metrics).flatMap((family) => seriesNames(family).map((name) => [name, family] as const)),
);
/** What scrape configurations add to every series, and what a histogram adds to its buckets. */
const commonLabels = ['cluster', 'job', 'instance', 'le'];

interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Every vector selector of an expression: metric and matched labels. */
function selectorsOf(expr: string): readonly Selector[] {
  const selectors: Selector[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, node }) => {
      if (type.isError) throw new Error(`Does not parse at ${node.from}: ${expr}`);
      if (type.name !== 'VectorSelector') return;
      const name = node.getChild('Identifier');
      const text = expr.slice(node.from, node.to);
      selectors.push({
        metric: name === null ? '' : expr.slice(name.from, name.to),
        labels: [...text.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map((match) => match[1] ?? ''),
      });
    },
  });
  return selectors;
}

describe.each(committedFiles())('%s', (file) => {
  const expressions = expressionsOf(readBoard(file)).map(
    ({ place, expr }) => [place, interpolate(expr, choices, time)] as const,
  );

  test.each(expressions)('%s reads metrics that are exported, by labels that they have', (_, expr) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, labels } of selectors) {
      const family = families.get(metric);
      if (family === undefined) {
        expect(Object.keys(externalMetrics)).toContain(metric);
      } else {
        expect([...family.labels, ...commonLabels]).toEqual(expect.arrayContaining([...labels]));
      }
    }
  });

  test('rates are taken over an interval that Grafana chooses', () => {
    const fixed = expressionsOf(readBoard(file)).filter(({ expr }) => /\[\s*\d+(?:ms|[smhdwy])/.test(expr));
    expect(fixed).toEqual([]);
  });
});

test('every external metric that is listed is read', () => {
  const read = committedFiles()
    .flatMap((file) => expressionsOf(readBoard(file)))
    .flatMap(({ expr }) => selectorsOf(interpolate(expr, choices, time)))
    .map(({ metric }) => metric);
  expect(Object.keys(externalMetrics).filter((name) => !read.includes(name))).toEqual([]);
});

test('every exported metric is on a dashboard', () => {
  const read = new Set(
    committedFiles()
      .flatMap((file) => expressionsOf(readBoard(file)))
      .flatMap(({ expr }) => selectorsOf(interpolate(expr, choices, time)))
      .map(({ metric }) => families.get(metric)?.name),
  );
  expect(Object.values(metrics).filter((family) => !read.has(family.name))).toEqual([]);
});
