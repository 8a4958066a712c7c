import { type SeriesOptions, seriesOf } from '../../src/demo/cluster/cluster-series.ts';
import type { NodeSpec } from '../../src/demo/cluster/node.ts';
import type { PodSpec } from '../../src/demo/cluster/pod.ts';
import { mi, minuteMs } from '../../src/demo/cluster/units.ts';
import type { WrittenSeries } from '../../src/demo/remote-write.ts';
import { clusterOf } from '../support/cluster.ts';

/** One pitfall of real clusters: the same small cluster, scraped or stored in a way that goes wrong somewhere. */
export interface Scenario {
  /** The sentence that must hold. */
  readonly name: string;
  readonly scrape?: Omit<SeriesOptions, 'startMs' | 'endMs' | 'externalLabels'>;
  /** Changes, drops or repeats series on their way into the store. */
  readonly change?: (series: WrittenSeries) => readonly WrittenSeries[];
  readonly pods?: (nowMs: number) => readonly PodSpec[];
  readonly flags?: readonly string[];
}

const node: NodeSpec = { name: 'ip-10-0-0-1', capacityBytes: mi(4096), system: () => mi(512) };

export const threePods: readonly PodSpec[] = [
  { namespace: 'a', name: 'over', node: node.name, containers: [{ request: mi(100), usage: mi(300) }] },
  {
    namespace: 'a',
    name: 'within',
    node: node.name,
    priority: 0,
    containers: [
      { request: mi(300), usage: mi(150) },
      { request: mi(200), usage: mi(150) },
    ],
  },
  { namespace: 'b', name: 'none', node: node.name, containers: [{ usage: mi(50) }] },
];

/** Series of a scenario, told apart from those of the others in one store by the label `scenario`. */
export function* scenarioSeries(id: string, scenario: Scenario, nowMs: number): Generator<WrittenSeries> {
  const cluster = clusterOf({ nowMs, nodes: [node], pods: scenario.pods?.(nowMs) ?? threePods });
  const series = seriesOf(cluster, {
    ...scenario.scrape,
    startMs: nowMs - 10 * minuteMs,
    endMs: nowMs,
    usageStepMs: minuteMs,
    stateStepMs: minuteMs,
    externalLabels: { scenario: id },
  });
  for (const one of series) yield* scenario.change?.(one) ?? [one];
}

const named = (series: WrittenSeries, pattern: RegExp): boolean => pattern.test(series.labels.__name__ ?? '');

/** Drops the metrics whose names fit. */
export const without =
  (pattern: RegExp) =>
  (series: WrittenSeries): readonly WrittenSeries[] =>
    named(series, pattern) ? [] : [series];

/** Writes the series whose names fit once more, with other labels. */
export const repeated =
  (pattern: RegExp, labels: Readonly<Record<string, string>>) =>
  (series: WrittenSeries): readonly WrittenSeries[] =>
    named(series, pattern) ? [series, { ...series, labels: { ...series.labels, ...labels } }] : [series];

/** Takes a label off the series whose names fit. */
export const unlabelled =
  (pattern: RegExp, label: string) =>
  (series: WrittenSeries): readonly WrittenSeries[] => {
    if (!named(series, pattern)) return [series];
    const { [label]: _gone, ...labels } = series.labels;
    return [{ ...series, labels: labels as WrittenSeries['labels'] }];
  };

/** Writes this value in every sample of the series whose names fit. */
export const valued =
  (pattern: RegExp, value: number) =>
  (series: WrittenSeries): readonly WrittenSeries[] =>
    named(series, pattern) ? [{ ...series, values: series.values.map(() => value) }] : [series];
