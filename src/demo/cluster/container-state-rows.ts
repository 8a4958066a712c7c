import type { DemoContainer, DemoPod, Resources } from './description.ts';
import { one } from './exposed-series.ts';
import { hexOf } from './random.ts';

/** One series of a family, without what all series of a pod share. */
export interface Row {
  readonly labels?: Readonly<Record<string, string>>;
  readonly valueAt: (timeMs: number) => number;
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Overrides the family's. */
  readonly history?: 'week' | 'hours';
}

/** `init` = sidecars too: kube-state-metrics lists them among the init containers, where the spec has them. */
function containersOf(pod: DemoPod, kind: 'main' | 'init'): readonly DemoContainer[] {
  return pod.containers.filter(({ role }) => (role === 'main') === (kind === 'main'));
}

/** Containers with a status: none before the pod has a node. */
export function started(pod: DemoPod, kind: 'main' | 'init'): readonly DemoContainer[] {
  return pod.node === undefined ? [] : containersOf(pod, kind);
}

/** Container id of the n-th start of a container, without the runtime's prefix. */
export function containerIdOf(pod: DemoPod, containerName: string, restart: number): string {
  return hexOf(`${pod.uid}/${containerName}/${restart}`, 64);
}

export function infoRows(
  pod: DemoPod,
  { name, image, restarts }: DemoContainer,
  extra: Readonly<Record<string, string>>,
): readonly Row[] {
  const starts = [pod.createdMs, ...restarts.map(({ atMs }) => atMs)];
  return starts.map((startMs, restart) => {
    const nextMs = starts[restart + 1];
    return {
      labels: {
        container: name,
        image_spec: image,
        image,
        image_id: `registry.example.com/demo@sha256:${hexOf(image, 64)}`,
        container_id: `containerd://${containerIdOf(pod, name, restart)}`,
        ...extra,
      },
      valueAt: one,
      fromMs: startMs,
      ...(nextMs === undefined ? {} : { untilMs: nextMs }),
    };
  });
}

export function resourceRows(
  pod: DemoPod,
  kind: 'main' | 'init',
  pick: (container: DemoContainer) => Resources,
): readonly Row[] {
  return containersOf(pod, kind).flatMap((container) => {
    const { memoryBytes, cpuCores } = pick(container);
    const row = (resource: string, unit: string, value: number | undefined): readonly Row[] =>
      value === undefined
        ? []
        : [
            {
              labels: { container: container.name, node: pod.node ?? '', resource, unit },
              valueAt: () => value,
            },
          ];
    return [...row('cpu', 'core', cpuCores), ...row('memory', 'byte', memoryBytes)];
  });
}

/** One row for each stretch of restarts with the same reason. */
export function lastTerminatedRows({ name, restarts }: DemoContainer): readonly Row[] {
  return restarts.flatMap(({ atMs, reason }, index) => {
    if (restarts[index - 1]?.reason === reason) {
      return [];
    }
    const nextMs = restarts.slice(index).find((later) => later.reason !== reason)?.atMs;
    return [
      {
        labels: { container: name, reason },
        valueAt: one,
        fromMs: atMs,
        ...(nextMs === undefined ? {} : { untilMs: nextMs }),
      },
    ];
  });
}
