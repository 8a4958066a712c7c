import type { DemoCluster, DemoNode, MemorySignal } from './description.ts';
import { always, type ExposedSeries, one } from './exposed-series.ts';
import { isCadvisorGone } from './node.ts';
import { type KubeletPath, kubeletTarget, type ScrapeTarget } from './scrape-target.ts';

/** The kubelet's own metrics: the eviction counter and the series that names its node. */
export function* kubeletSeries(node: DemoNode): Generator<ExposedSeries> {
  const shared = { ...always, target: kubeletTarget(node, '/metrics'), isMarked: true };
  yield {
    ...shared,
    metric: 'kubelet_node_name',
    labels: { node: node.name },
    valueAt: one,
    history: 'hours',
  };
  const signals: readonly MemorySignal[] = ['memory.available', 'allocatableMemory.available'];
  for (const signal of signals) {
    const times = node.evictions.filter((eviction) => eviction.signal === signal).map(({ atMs }) => atMs);
    const [firstMs] = times;
    if (firstMs !== undefined) {
      yield {
        ...shared,
        // A counter without `_total`, absent before the first eviction (`pkg/kubelet/metrics/metrics.go`).
        metric: 'kubelet_evictions',
        labels: { eviction_signal: signal },
        valueAt: (timeMs) => times.filter((atMs) => atMs <= timeMs).length,
        fromMs: firstMs,
        history: 'week',
      };
    }
  }
}

/** `up` of every target, written by Prometheus itself. */
export function* upSeries(
  cluster: DemoCluster,
  targets: readonly ScrapeTarget[],
  kubeletPaths: readonly KubeletPath[],
): Generator<ExposedSeries> {
  const up = (target: ScrapeTarget, valueAt: (timeMs: number) => number): ExposedSeries => ({
    ...always,
    target,
    metric: 'up',
    labels: {},
    valueAt,
    history: 'week',
    isMarked: true,
  });
  yield* targets.map((target) => up(target, one));
  for (const node of cluster.nodes) {
    for (const path of kubeletPaths) {
      const valueAt =
        path === '/metrics/cadvisor' ? (timeMs: number) => Number(!isCadvisorGone(node, timeMs)) : one;
      yield up(kubeletTarget(node, path), valueAt);
    }
  }
}
