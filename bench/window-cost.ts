import { obtainPrometheus } from '../src/demo/prometheus-binary.ts';
import { startPrometheus } from '../src/demo/prometheus-server.ts';
import { remoteWrite, type WrittenSeries } from '../src/demo/remote-write.ts';
import { podUsageSources } from '../src/inputs/usage-sources.ts';
import type { QueryObserver } from '../src/prometheus/client.ts';
import { createPrometheusClient } from '../src/prometheus/http-client.ts';
import { refreshOnce } from '../src/snapshot/refresh.ts';
import { createSizingKeeper } from '../src/snapshot/sizing-keeper.ts';
import type { Snapshot } from '../src/snapshot/snapshot.ts';
import { createHourlyWindow } from '../src/window/hourly-window.ts';
import { noWindow } from '../src/window/no-window.ts';
import { plainScope as scope } from '../test/support/plain-scope.ts';
import { type BenchCluster, makeCluster, usageBytesAt } from './cluster.ts';
import { storedSeries } from './stored-series.ts';
import { usageMetric } from './wire-answers.ts';

const minuteMs = 60_000;
const windowMs = 7 * 24 * 60 * minuteMs;

/** What a number of questions made Prometheus read, and how long it took over them. */
interface Cost {
  readonly samples: number;
  readonly seconds: number;
}

export interface WindowCost {
  readonly pods: number;
  readonly samplesWritten: number;
  readonly fillSeconds: number;
  /** `max_over_time(…[7d])`, asked once. */
  readonly plainQuery: Cost;
  /** The questions of the window until all of its hours are there. */
  readonly backfill: Cost;
  /** The questions of the window at a steady refresh, a minute after the one before. */
  readonly steadyWindow: Cost;
  /** All questions of that refresh. */
  readonly steadyRefresh: Cost;
  /** What sizes depend on beside peaks, asked once an hour: a pod in a hundred is OOM-killed every day. */
  readonly sizing: Cost;
}

/** Fills a real Prometheus with a week of samples, one a minute, and compares what the window reads with the plain query. */
export async function measureWindowCost(
  size: { readonly pods: number; readonly nodes: number },
  say: (line: string) => void,
): Promise<WindowCost> {
  const prometheus = await startPrometheus(obtainPrometheus());
  try {
    const cluster = makeCluster(size);
    const endMs = Math.floor(Date.now() / minuteMs) * minuteMs;
    const startedMs = performance.now();
    const written = await remoteWrite(allSeries(cluster, endMs), { url: prometheus.url });
    const fillSeconds = (performance.now() - startedMs) / 1000;
    say(`${written.samples} samples of ${written.series} series written in ${fillSeconds.toFixed(0)} s`);
    return {
      pods: size.pods,
      samplesWritten: written.samples,
      fillSeconds,
      ...(await ask(prometheus.url, endMs)),
    };
  } finally {
    await prometheus.stop();
  }
}

async function ask(
  url: string,
  endMs: number,
): Promise<Omit<WindowCost, 'pods' | 'samplesWritten' | 'fillSeconds'>> {
  let asked: Parameters<QueryObserver['queryDone']>[0][] = [];
  const client = createPrometheusClient(
    {
      url,
      dialect: 'prometheus',
      timeoutMs: 60_000,
      concurrency: 4,
      maxBodyBytes: 2 ** 28,
      retries: { attempts: 1, baseDelayMs: 1 },
    },
    { observer: { queryDone: (event) => asked.push(event) } },
  );
  const costOf = (belongs: (id: string) => boolean): Cost => {
    const events = asked.filter(({ id }) => belongs(id));
    return {
      samples: events.reduce((sum, { samplesRead = Number.NaN }) => sum + samplesRead, 0),
      seconds: events.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
    };
  };
  const isOfWindow = (id: string): boolean => id.startsWith('pod_peak') || id === 'owner_history';
  const window = createHourlyWindow({
    client,
    scope,
    windowMs,
    backfillMs: { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY },
  });
  const refreshAt = async (timeMs: number): Promise<Snapshot> => {
    asked = [];
    const snapshot = await refreshOnce(
      {
        client,
        scope,
        window,
        priorityClasses: new Map(),
        settings: { threshold: { percentage: 0.05 }, windowMs, requestMargin: 0.15, hasClusterLabel: false },
      },
      timeMs,
    );
    if (snapshot.windowCoverageRatio < 1) throw new Error('the window is not full');
    return snapshot;
  };
  const sizeAt = async (evaluatedAtMs: number, { nodes }: Snapshot): Promise<Cost> => {
    asked = [];
    const pods = nodes.flatMap((node) => node.pods.map(({ pod }) => pod));
    const keeper = createSizingKeeper({ client, scope, windowMs });
    const { problems, oomKills } = await keeper.update({ evaluatedAtMs, pods, window: noWindow });
    const kills = pods.reduce(
      (sum, { cluster, namespace, workload }) => sum + (oomKills({ cluster, namespace, ...workload }) ?? 0),
      0,
    );
    if (problems.length > 0 || kills === 0) throw new Error('OOM kills were not answered');
    return costOf(() => true);
  };
  try {
    const peakQuery = podUsageSources[0].peakQuery(scope, '7d');
    await client.instant({ id: 'plain', query: peakQuery, timeMs: endMs });
    const plainQuery = costOf((id) => id === 'plain');
    await refreshAt(endMs - minuteMs);
    const backfill = costOf(isOfWindow);
    const snapshot = await refreshAt(endMs);
    const steady = { steadyWindow: costOf(isOfWindow), steadyRefresh: costOf(() => true) };
    return { plainQuery, backfill, ...steady, sizing: await sizeAt(endMs, snapshot) };
  } finally {
    client.close();
  }
}

const killedRatio = 0.01;

/** Usage of a week, OOM kills of a few pods, and a few minutes of everything that nobody asks the past of. */
function* allSeries(cluster: BenchCluster, endMs: number): Generator<WrittenSeries> {
  const weekMs = timesUntil(endMs, windowMs / minuteMs + 60);
  for (const [i, pod] of cluster.pods.entries()) {
    yield {
      labels: { __name__: usageMetric, namespace: pod.namespace, pod: pod.name, node: pod.node },
      timesMs: weekMs,
      values: weekMs.map((timeMs) => usageBytesAt(pod, i, timeMs)),
    };
  }
  for (const { namespace, name, uid } of cluster.pods.slice(
    0,
    Math.ceil(cluster.pods.length * killedRatio),
  )) {
    const labels = { namespace, pod: name, uid, container: 'app' };
    yield {
      labels: {
        __name__: 'kube_pod_container_status_last_terminated_reason',
        ...labels,
        reason: 'OOMKilled',
      },
      timesMs: weekMs,
      values: weekMs.map(() => 1),
    };
    yield {
      labels: { __name__: 'kube_pod_container_status_restarts_total', ...labels },
      timesMs: weekMs,
      values: weekMs.map((timeMs) => Math.floor(timeMs / (24 * 60 * minuteMs)) - 19_000),
    };
  }
  yield* storedSeries(cluster, timesUntil(endMs, 5), ({ metric }) => metric !== usageMetric);
}

function timesUntil(endMs: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => endMs - (count - 1 - i) * minuteMs);
}
