import type { WorkloadRef } from '../../model/pod.ts';
import type { DemoPod } from './description.ts';
import { buildPod, type ContainerSpec, type PodSpec } from './pod.ts';
import { suffixOf } from './random.ts';
import { dayMs, hourMs, minuteMs } from './units.ts';

/** What every kind of workload has in common. */
interface WorkloadBase {
  readonly namespace: string;
  readonly name: string;
  readonly priorityClass?: string | undefined;
  /** Containers of one pod; key and index tell the pods apart, so that their curves can differ. */
  readonly containers: (key: string, index: number) => readonly ContainerSpec[];
  readonly pod?: Partial<Pick<PodSpec, 'overheadBytes' | 'runtimeClass' | 'isHostNetwork' | 'hasStats'>>;
  readonly specialCase?: string;
}

export interface DeploymentSpec extends WorkloadBase {
  readonly kind: 'Deployment' | 'ReplicaSet';
  readonly replicas: number;
  /** How long ago it came to be; default 20 days. */
  readonly ageHours?: number;
  /** Rollouts, newest last: how long ago each was, and the containers of the generation that ended there. */
  readonly rollouts?: readonly {
    readonly agoHours: number;
    readonly containersBefore: WorkloadBase['containers'];
  }[];
}

export interface StatefulSetSpec extends WorkloadBase {
  readonly kind: 'StatefulSet';
  readonly replicas: number;
  /** The pod of this ordinal was deleted and made anew this long ago, and the old one's series still linger. */
  readonly recreated?: { readonly ordinal: number; readonly agoMs: number };
}

export interface DaemonSetSpec extends WorkloadBase {
  readonly kind: 'DaemonSet';
}

export interface CronJobSpec extends WorkloadBase {
  readonly kind: 'CronJob';
  readonly everyMinutes: number;
  readonly runMinutes: number;
}

export interface SinglePodSpec extends WorkloadBase {
  readonly kind: 'Job' | 'Pod';
  readonly ageHours?: number;
}

export type WorkloadSpec = DeploymentSpec | StatefulSetSpec | DaemonSetSpec | CronJobSpec | SinglePodSpec;

/** Where the pods go: node names, taken in turn. A DaemonSet has one pod on each. undefined = not scheduled. */
export type Placement = (index: number) => string | undefined;

/** All pods of a workload from a week before `nowMs` to a day after it. */
export function podsOf(
  spec: WorkloadSpec,
  placement: Placement,
  { nowMs, daemonNodes = [] }: { nowMs: number; daemonNodes?: readonly string[] },
): readonly DemoPod[] {
  switch (spec.kind) {
    case 'Deployment':
    case 'ReplicaSet':
      return replicaSetPods(spec, placement, nowMs);
    case 'StatefulSet':
      return statefulSetPods(spec, placement, nowMs);
    case 'DaemonSet':
      return daemonNodes.map((node, index) => {
        const name = `${spec.name}-${suffixOf(`${spec.namespace}/${spec.name}/${node}`, 5)}`;
        return podOf(spec, { index, name, node, owner: { kind: 'DaemonSet', name: spec.name } }, nowMs);
      });
    case 'CronJob':
      return cronJobPods(spec, placement, nowMs);
    case 'Job': {
      const owner = { kind: 'Job', name: spec.name };
      const name = `${spec.name}-${suffixOf(spec.name, 5)}`;
      return [podOf(spec, { name, node: placement(0), owner, createdMs: ageOf(spec, nowMs) }, nowMs)];
    }
    case 'Pod':
      return [podOf(spec, { name: spec.name, node: placement(0), createdMs: ageOf(spec, nowMs) }, nowMs)];
  }
}

function podOf(
  spec: WorkloadSpec,
  {
    index = 0,
    ...pod
  }: Omit<PodSpec, 'namespace' | 'containers'> & {
    containers?: readonly ContainerSpec[];
    index?: number;
  },
  nowMs: number,
): DemoPod {
  const key = `${spec.namespace}/${pod.name}`;
  return buildPod(
    {
      namespace: spec.namespace,
      priorityClass: spec.priorityClass,
      specialCase: spec.specialCase,
      containers: spec.containers(key, index),
      ...spec.pod,
      ...pod,
    },
    nowMs,
  );
}

function ageOf(spec: { readonly ageHours?: number }, nowMs: number): number {
  return spec.ageHours === undefined ? nowMs - 20 * dayMs : nowMs - spec.ageHours * hourMs;
}

/** A Deployment's pods by generation: each rollout replaces them one by one, a minute apart. */
function replicaSetPods(spec: DeploymentSpec, placement: Placement, nowMs: number): readonly DemoPod[] {
  const rollouts = spec.rollouts ?? [];
  const bornMs = ageOf(spec, nowMs);
  return [...rollouts, undefined].flatMap((rollout, generation) => {
    const since = rollouts[generation - 1];
    const sinceMs = since === undefined ? bornMs : nowMs - since.agoHours * hourMs;
    const replicaSet =
      spec.kind === 'ReplicaSet'
        ? spec.name
        : `${spec.name}-${suffixOf(`${spec.namespace}/${spec.name}/generation-${generation}`, 10)}`;
    const workload: WorkloadRef = { kind: spec.kind, name: spec.name };
    return Array.from({ length: spec.replicas }, (_, index) => {
      const name = `${replicaSet}-${suffixOf(`${replicaSet}/${index}`, 5)}`;
      const containers = rollout?.containersBefore(`${spec.namespace}/${name}`, index);
      return podOf(
        spec,
        {
          index,
          name,
          node: placement(index),
          owner: { kind: 'ReplicaSet', name: replicaSet },
          workload,
          createdMs: sinceMs + index * minuteMs,
          deletedMs:
            rollout === undefined ? undefined : nowMs - rollout.agoHours * hourMs + (index + 1) * minuteMs,
          ...(containers === undefined ? {} : { containers }),
        },
        nowMs,
      );
    });
  });
}

function statefulSetPods(spec: StatefulSetSpec, placement: Placement, nowMs: number): readonly DemoPod[] {
  const owner = { kind: 'StatefulSet', name: spec.name };
  return Array.from({ length: spec.replicas }, (_, ordinal) => {
    const pod = { index: ordinal, name: `${spec.name}-${ordinal}`, node: placement(ordinal), owner };
    if (spec.recreated?.ordinal !== ordinal) {
      return [podOf(spec, pod, nowMs)];
    }
    const recreatedMs = nowMs - spec.recreated.agoMs;
    const old = { ...pod, incarnation: 'old', deletedMs: recreatedMs, endsUnmarked: true };
    return [podOf(spec, old, nowMs), podOf(spec, { ...pod, createdMs: recreatedMs }, nowMs)];
  }).flat();
}

/** Kubernetes keeps the last three finished Jobs of a CronJob (successfulJobsHistoryLimit). */
const keptJobs = 3;

function cronJobPods(spec: CronJobSpec, placement: Placement, nowMs: number): readonly DemoPod[] {
  const everyMs = spec.everyMinutes * minuteMs;
  const first = Math.ceil((nowMs - 8 * dayMs) / everyMs);
  const last = Math.floor((nowMs + dayMs) / everyMs);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const scheduledMs = (first + index) * everyMs;
    // The CronJob controller names a Job after the minute it was scheduled for.
    const job = `${spec.name}-${scheduledMs / minuteMs}`;
    const endMs = scheduledMs + spec.runMinutes * minuteMs;
    return podOf(
      spec,
      {
        index,
        name: `${job}-${suffixOf(job, 5)}`,
        node: placement(index),
        owner: { kind: 'Job', name: job },
        workload: { kind: 'CronJob', name: spec.name },
        createdMs: scheduledMs,
        end: { atMs: endMs, phase: 'Succeeded' },
        deletedMs: endMs + keptJobs * everyMs,
      },
      nowMs,
    );
  });
}
