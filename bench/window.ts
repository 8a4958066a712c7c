import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { podUsageSources } from '../src/inputs/usage-sources.ts';
import type { Pod } from '../src/model/pod.ts';
import type { Answer, PrometheusClient, Sample, Series } from '../src/prometheus/client.ts';
import { createHourlyWindow } from '../src/window/hourly-window.ts';
import type { PeakWindow } from '../src/window/peak-window.ts';
import { plainScope as scope } from '../test/support/plain-scope.ts';

const hourMs = 3_600_000;
const startMs = 490_000 * hourMs + 30 * 60_000;

/** Ten pods to a workload, five hundred namespaces, names as long as real ones. */
function makePods(count: number): Pod[] {
  return Array.from({ length: count }, (_, i) => {
    const workload = `payment-service-${Math.floor(i / 10)}`;
    return {
      cluster: undefined,
      namespace: `team-${Math.floor(i / 10) % 500}-production`,
      name: `${workload}-7d9f8b6c5d-${i.toString(36).padStart(5, 'x')}`,
      uid: `00000000-0000-0000-0000-${i.toString().padStart(12, '0')}`,
      node: `node-${i % 5_000}`,
      phase: 'Running',
      qosClass: 'Burstable',
      priority: 0,
      priorityClass: undefined,
      isStatic: false,
      workload: { kind: 'Deployment', name: workload },
      usageBytes: 2e8,
      requestBytes: 2e8,
    };
  });
}

/** Answers from memory, so that only the window's own work is measured; labels are new texts, as parsed JSON has. */
function answeringClient(pods: readonly Pod[]): PrometheusClient {
  const answer = <Row>(rows: Row[]): Promise<Answer<Row>> =>
    Promise.resolve({ rows, droppedPoints: 0, droppedLabels: [], warnings: [], infos: [], stats: undefined });
  const labelsOf = ({ namespace, name }: Pod): Record<string, string> =>
    JSON.parse(JSON.stringify({ namespace, pod: name })) as Record<string, string>;
  const bytesAt = (i: number, timeMs: number): number => 4_096 * ((i * 7_919 + timeMs / 1_000) % 131_072);
  return {
    instant: ({ timeMs }) =>
      answer(pods.map((pod, i): Sample => ({ labels: labelsOf(pod), value: bytesAt(i, timeMs) }))),
    range({ startMs: from, endMs, stepMs }) {
      const timesMs = Array.from({ length: (endMs - from) / stepMs + 1 }, (_, i) => from + i * stepMs);
      return answer(
        pods.map(
          (pod, i): Series => ({
            labels: labelsOf(pod),
            timesMs,
            values: timesMs.map((timeMs) => bytesAt(i, timeMs)),
          }),
        ),
      );
    },
  };
}

function readAll(window: PeakWindow, pods: readonly Pod[]): number {
  let sum = 0;
  for (const pod of pods) sum += window.podPeak(pod)?.peakBytes ?? 0;
  for (let i = 0; i < pods.length; i += 10) {
    const pod = pods[i];
    if (pod === undefined) continue;
    const workload = { cluster: pod.cluster, namespace: pod.namespace, ...pod.workload };
    sum += (window.workloadPeakBytes(workload) ?? 0) + (window.observedHours(workload) ?? 0);
  }
  return sum;
}

const figures: Record<string, string> = {};
const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;

async function timed<Result>(name: string, task: () => Result | Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await task();
  figures[name] = `${Math.round(performance.now() - startedMs)} ms`;
  return result;
}

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Prints memory and times of a full window: `--pods 150000 --hours 168`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { pods: { type: 'string', default: '150000' }, hours: { type: 'string', default: '168' } },
  });
  const pods = makePods(Number(values.pods));
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-bench-'));
  const file = join(folder, 'window');
  const start = () =>
    createHourlyWindow({
      client: answeringClient(pods),
      scope,
      windowMs: Number(values.hours) * hourMs,
      file,
      backfillMs: { first: 0, later: Number.POSITIVE_INFINITY },
    });
  const refresh = (evaluatedAtMs: number) => ({
    evaluatedAtMs,
    pods,
    finishedPods: [],
    usageMetric: podUsageSources[1].metric,
  });
  try {
    const before = usedBytes();
    const keeper = start();
    await timed('first update (a row for every pod)', () => keeper.update(refresh(startMs)));
    await timed('update with the whole backfill', () => keeper.update(refresh(startMs + 60_000)));
    figures['memory of the full window'] = mebibytes(usedBytes() - before);
    const window = await timed('steady update', () => keeper.update(refresh(startMs + 120_000)));
    await timed('reading all pods and workloads', () => readAll(window, pods));
    await timed('update at a new hour', () => keeper.update(refresh(startMs + 600_000 + hourMs / 2)));
    await timed('save', () => keeper.save());
    figures['size of the file'] = mebibytes((await stat(file)).size);
    const restarted = start();
    await timed('load', () => restarted.load());
    figures['coverage after the restart'] = String(
      (await restarted.update(refresh(startMs + 660_000 + hourMs / 2))).coverageRatio,
    );
    figures['resident memory of the whole process, at most'] = mebibytes(
      process.resourceUsage().maxRSS * 1_024,
    );
    console.table(figures);
  } finally {
    await rm(folder, { recursive: true });
  }
}
