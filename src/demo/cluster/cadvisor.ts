import { containerIdOf } from './container-state-rows.ts';
import type { DemoContainer, DemoNode, DemoPod } from './description.ts';
import { isCadvisorGone, nodeWorkingSetBytes } from './node.ts';
import { pauseBytes, runsAt } from './pod.ts';

/** One cAdvisor series on a grid of times: `timesMs[i]` belongs to `values[i]`. */
export interface CadvisorSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
  /** `hours` = only its last hours are asked for. */
  readonly history: 'week' | 'hours';
}

/** Name of the one cAdvisor family the project reads. */
export const workingSetMetric = 'container_memory_working_set_bytes';

const pauseImage = 'registry.k8s.io/pause:3.10';

/**
 * `container_memory_working_set_bytes` of a node as containerd's cAdvisor shows it through the kubelet, with the
 * systemd cgroup driver (google/cadvisor `metrics/prometheus.go`; labels from kubernetes/kubernetes
 * `pkg/kubelet/server/server.go` containerPrometheusLabelsFunc): the root, the slices, for each pod its cgroup
 * (no container, no image), its pause container (no container, but an image) and its containers. What has no
 * value for a label has it empty.
 */
export function* cadvisorSeries(
  node: DemoNode,
  pods: readonly DemoPod[],
  gridMs: readonly number[],
): Generator<CadvisorSeries> {
  const timesMs = gridMs.filter((timeMs) => !isCadvisorGone(node, timeMs));
  const podsBytes = new Float64Array(timesMs.length);
  const classBytes = {
    Guaranteed: new Float64Array(timesMs.length),
    Burstable: new Float64Array(timesMs.length),
    BestEffort: new Float64Array(timesMs.length),
  };
  for (const pod of pods) {
    const first = timesMs.findIndex((timeMs) => runsAt(pod, timeMs));
    if (first < 0) {
      continue;
    }
    let end = first;
    while (end < timesMs.length && runsAt(pod, timesMs[end] ?? 0)) {
      end += 1;
    }
    const podTimesMs = timesMs.slice(first, end);
    const values = new Array<number>(podTimesMs.length).fill(pauseBytes);
    const series: CadvisorSeries[] = [];
    for (const container of pod.containers) {
      const { usageAt } = container;
      if (usageAt === undefined) {
        continue;
      }
      const used = podTimesMs.map(usageAt);
      used.forEach((bytes, index) => {
        values[index] = (values[index] ?? 0) + bytes;
      });
      series.push(...containerSeries(pod, container, podTimesMs, used));
    }
    const qosBytes = classBytes[pod.qosClass];
    values.forEach((bytes, index) => {
      podsBytes[first + index] = (podsBytes[first + index] ?? 0) + bytes;
      qosBytes[first + index] = (qosBytes[first + index] ?? 0) + bytes;
    });
    if (pod.hasStats) {
      yield { labels: podLabels(pod), timesMs: podTimesMs, values, history: 'week' };
      yield pauseSeries(pod, podTimesMs);
      yield* series;
    }
  }
  const root = timesMs.map((timeMs, index) => nodeWorkingSetBytes(node, podsBytes[index] ?? 0, timeMs));
  const system = root.map((bytes, index) => bytes - (podsBytes[index] ?? 0));
  const slice = (
    id: string,
    values: readonly number[],
    history: CadvisorSeries['history'],
  ): CadvisorSeries => ({
    labels: { container: '', id, image: '', name: '', namespace: '', pod: '' },
    timesMs,
    values,
    history,
  });
  yield slice('/', root, 'week');
  yield slice('/kubepods.slice', Array.from(podsBytes), 'week');
  yield slice('/kubepods.slice/kubepods-besteffort.slice', Array.from(classBytes.BestEffort), 'hours');
  yield slice('/kubepods.slice/kubepods-burstable.slice', Array.from(classBytes.Burstable), 'hours');
  yield slice('/system.slice', system, 'hours');
}

/** The pod's slice; a Guaranteed pod stands directly below `kubepods.slice`. */
function podCgroup(pod: DemoPod): string {
  const uid = pod.uid.replaceAll('-', '_');
  if (pod.qosClass === 'Guaranteed') {
    return `/kubepods.slice/kubepods-pod${uid}.slice`;
  }
  const qosClass = pod.qosClass.toLowerCase();
  return `/kubepods.slice/kubepods-${qosClass}.slice/kubepods-${qosClass}-pod${uid}.slice`;
}

function podLabels(pod: DemoPod): Record<string, string> {
  return { container: '', id: podCgroup(pod), image: '', name: '', namespace: pod.namespace, pod: pod.name };
}

function pauseSeries(pod: DemoPod, timesMs: readonly number[]): CadvisorSeries {
  const id = containerIdOf(pod, 'POD', 0);
  return {
    labels: {
      ...podLabels(pod),
      id: `${podCgroup(pod)}/cri-containerd-${id}.scope`,
      image: pauseImage,
      name: id,
    },
    timesMs,
    values: timesMs.map(() => pauseBytes),
    history: 'hours',
  };
}

/** One series for each start of the container: a restart gives it a new id. */
function containerSeries(
  pod: DemoPod,
  { name, image, restarts }: DemoContainer,
  timesMs: readonly number[],
  values: readonly number[],
): readonly CadvisorSeries[] {
  const ends = [...restarts.map(({ atMs }) => atMs), Number.POSITIVE_INFINITY];
  let first = 0;
  return ends.flatMap((endMs, restart) => {
    let end = first;
    while (end < timesMs.length && (timesMs[end] ?? 0) < endMs) {
      end += 1;
    }
    const from = first;
    first = end;
    if (end === from) {
      return [];
    }
    const id = containerIdOf(pod, name, restart);
    const labels = {
      ...podLabels(pod),
      container: name,
      id: `${podCgroup(pod)}/cri-containerd-${id}.scope`,
      image,
      name: id,
    };
    return [
      {
        labels,
        timesMs: timesMs.slice(from, end),
        values: values.slice(from, end),
        history: 'week' as const,
      },
    ];
  });
}
