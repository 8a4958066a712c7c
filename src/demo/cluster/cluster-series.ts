import type { WrittenSeries } from '../remote-write.ts';
import { type CadvisorSeries, cadvisorSeries, workingSetMetric } from './cadvisor.ts';
import type { DemoCluster, DemoPod } from './description.ts';
import type { ExposedSeries } from './exposed-series.ts';
import { objectStateSeries } from './kube-state-metrics-objects.ts';
import { podStateSeries } from './kube-state-metrics-pods.ts';
import { kubeletSeries, upSeries } from './kubelet-series.ts';
import { schedulerSeries } from './scheduler-series.ts';
import {
  type KubeletPath,
  kubeletTarget,
  kubeStateMetricsTarget,
  type ScrapeTarget,
  schedulerTarget,
  storedLabels,
} from './scrape-target.ts';
import { hourMs, minuteMs } from './units.ts';

/** Which part of the cluster's series to make, and how the cluster is scraped. */
export interface SeriesOptions {
  readonly startMs: number;
  /** The newest sample of everything that is still there has this time. */
  readonly endMs: number;
  /** Between samples of usage; default two minutes. */
  readonly usageStepMs?: number;
  /** Between samples of everything else; default four minutes: a sample stays fresh for five. */
  readonly stateStepMs?: number;
  /** How far back series go that nobody asks the history of; default two hours. */
  readonly recentMs?: number;
  /** Is the kubelet's /metrics/resource scraped too? Default no, as in most installations. */
  readonly hasResourceMetrics?: boolean;
  /** Is kube-scheduler's /metrics/resources scraped, and does the scrape honour labels? Default: not scraped. */
  readonly scheduler?: 'honored' | 'exported';
  /** Without it kube-state-metrics' labels become `exported_…`; default true. */
  readonly honorsStateLabels?: boolean;
  /** Labels on every series, such as `cluster`. */
  readonly externalLabels?: Readonly<Record<string, string>>;
  /** Told after the state of each pod and the usage of each node. */
  readonly onPart?: (part: 'pod' | 'node') => void;
}

/**
 * All series of the cluster between two times, as the Prometheus that scrapes it would hold them. Lazy: the samples of
 * one node are made at a time. Call it for a week to fill a store, and for a few seconds to keep one fresh.
 */
export function* seriesOf(cluster: DemoCluster, options: SeriesOptions): Generator<WrittenSeries> {
  const usageGrid = gridOf(options.startMs, options.endMs, options.usageStepMs ?? 2 * minuteMs);
  const stateGrid = stateGridOf(options);
  const recentFromMs = options.endMs - (options.recentMs ?? 2 * hourMs);
  for (const exposed of exposedSeries(cluster, options)) {
    const series = sampled(exposed, stateGrid, { ...options, recentFromMs });
    if (series !== undefined) {
      yield withLabels(series, options);
    }
  }
  const podsByNode = groupByNode(cluster.pods);
  for (const node of cluster.nodes) {
    const target = kubeletTarget(node, '/metrics/cadvisor');
    const pods = podsByNode.get(node.name) ?? [];
    for (const series of cadvisorSeries(node, pods, usageGrid)) {
      const kept = series.history === 'week' ? series : recentPart(series, recentFromMs);
      if (kept.timesMs.length > 0) {
        yield withLabels({ ...kept, labels: storedLabels(target, workingSetMetric, series.labels) }, options);
      }
      const resource = options.hasResourceMetrics === true ? resourceSeries(series) : undefined;
      if (resource !== undefined) {
        const labels = storedLabels(
          kubeletTarget(node, '/metrics/resource'),
          resource.metric,
          resource.labels,
        );
        yield withLabels({ ...series, labels }, options);
      }
    }
    options.onPart?.('node');
  }
}

function* exposedSeries(cluster: DemoCluster, options: SeriesOptions): Generator<ExposedSeries> {
  const stateTarget = kubeStateMetricsTarget(options.honorsStateLabels ?? true);
  const scheduler = options.scheduler && schedulerTarget(options.scheduler === 'honored');
  const paths: readonly KubeletPath[] = [
    '/metrics',
    '/metrics/cadvisor',
    ...(options.hasResourceMetrics === true ? (['/metrics/resource'] as const) : []),
  ];
  const targets: readonly ScrapeTarget[] = scheduler === undefined ? [stateTarget] : [stateTarget, scheduler];
  yield* upSeries(cluster, targets, paths);
  yield* objectStateSeries(cluster, stateTarget);
  for (const node of cluster.nodes) {
    yield* kubeletSeries(node);
  }
  const ips = new Map(cluster.nodes.map(({ name, ip }) => [name, ip]));
  for (const pod of cluster.pods) {
    if (overlaps(pod, options)) {
      yield* podStateSeries(pod, ips.get(pod.node ?? '') ?? '', stateTarget);
      if (scheduler !== undefined) {
        yield* schedulerSeries(pod, scheduler);
      }
    }
    options.onPart?.('pod');
  }
}

function groupByNode(pods: readonly DemoPod[]): ReadonlyMap<string, readonly DemoPod[]> {
  const groups = new Map<string, DemoPod[]>();
  for (const pod of pods) {
    const group = groups.get(pod.node ?? '') ?? [];
    groups.set(pod.node ?? '', group);
    group.push(pod);
  }
  return groups;
}

function overlaps(pod: DemoPod, { startMs, endMs }: SeriesOptions): boolean {
  return pod.createdMs <= endMs && (pod.deletedMs === undefined || pod.deletedMs >= startMs);
}

/** From the end backwards, so that the newest sample is exactly at the end. */
function gridOf(startMs: number, endMs: number, stepMs: number): readonly number[] {
  const count = Math.floor((endMs - startMs) / stepMs) + 1;
  return Array.from({ length: count }, (_, index) => endMs - (count - 1 - index) * stepMs);
}

/** Coarse, but a sample a minute in the last twenty: what changed lately is seen where it changed. */
function stateGridOf({ startMs, endMs, stateStepMs = 4 * minuteMs }: SeriesOptions): readonly number[] {
  const fineFromMs = Math.max(startMs, endMs - 20 * minuteMs);
  const fine = gridOf(fineFromMs, endMs, Math.min(minuteMs, stateStepMs));
  const coarse = gridOf(startMs, endMs, stateStepMs).filter((timeMs) => timeMs < (fine[0] ?? endMs));
  return [...coarse, ...fine];
}

function sampled(
  series: ExposedSeries,
  gridMs: readonly number[],
  range: { startMs: number; endMs: number; recentFromMs: number },
): WrittenSeries | undefined {
  const { target, metric, labels, valueAt, untilMs, history } = series;
  const fromMs = history === 'week' ? series.fromMs : Math.max(series.fromMs, range.recentFromMs);
  const timesMs = gridMs.filter((timeMs) => timeMs >= fromMs && timeMs < untilMs);
  const endsHere = series.isMarked && untilMs > fromMs && untilMs >= range.startMs && untilMs <= range.endMs;
  if (timesMs.length === 0 && !endsHere) {
    return undefined;
  }
  return {
    labels: storedLabels(target, metric, labels),
    timesMs,
    values: timesMs.map(valueAt),
    ...(endsHere ? { staleAtMs: Math.ceil(untilMs) } : {}),
  };
}

function recentPart(series: CadvisorSeries, fromMs: number): CadvisorSeries {
  const first = series.timesMs.findIndex((timeMs) => timeMs >= fromMs);
  const from = first < 0 ? series.timesMs.length : first;
  return { ...series, timesMs: series.timesMs.slice(from), values: series.values.slice(from) };
}

/** The same numbers as /metrics/resource shows them (`pkg/kubelet/metrics/collectors/resource_metrics.go`). */
function resourceSeries({
  labels,
}: CadvisorSeries): { metric: string; labels: Record<string, string> } | undefined {
  const { id = '', container = '', image = '', namespace = '', pod = '' } = labels;
  if (id === '/') {
    return { metric: 'node_memory_working_set_bytes', labels: {} };
  }
  if (pod === '') {
    return undefined;
  }
  if (container !== '') {
    return { metric: workingSetMetric, labels: { container, namespace, pod } };
  }
  return image === '' ? { metric: 'pod_memory_working_set_bytes', labels: { namespace, pod } } : undefined;
}

function withLabels(series: WrittenSeries, { externalLabels }: SeriesOptions): WrittenSeries {
  return externalLabels === undefined
    ? series
    : { ...series, labels: { ...series.labels, ...externalLabels } };
}
