import type { QosClass } from '../../kubelet/qos-class.ts';
import type { WorkloadRef } from '../../model/pod.ts';
import { type Curve, constant } from './curves.ts';
import type { ContainerRole, DemoContainer, DemoPod, PodEnd, Resources, Restart } from './description.ts';
import { priorityOf } from './priority-classes.ts';
import { uidOf } from './random.ts';
import { dayMs } from './units.ts';

export interface ContainerSpec {
  readonly name?: string;
  readonly image?: string;
  readonly role?: ContainerRole;
  /** Memory in bytes. */
  readonly request?: number | undefined;
  readonly limit?: number | undefined;
  /** CPU in cores. */
  readonly cpuRequest?: number | undefined;
  readonly cpuLimit?: number | undefined;
  /** Working set in bytes, fixed or over time; default: half the request. */
  readonly usage?: number | Curve;
  readonly restarts?: readonly Restart[];
}

/** A pod in few lines: only what the test or the case is about has to be said. */
export interface PodSpec {
  readonly namespace: string;
  readonly name: string;
  readonly node: string | undefined;
  readonly containers: readonly ContainerSpec[];
  /** Makes two pods of one name different; default: none. */
  readonly incarnation?: string;
  readonly priorityClass?: string | undefined;
  /** Default: the value of the class among the demo's classes, else 0. */
  readonly priority?: number;
  readonly owner?: WorkloadRef | undefined;
  /** Default: the owner, else the pod itself. */
  readonly workload?: WorkloadRef;
  readonly overheadBytes?: number | undefined;
  readonly runtimeClass?: string | undefined;
  readonly isHostNetwork?: boolean;
  readonly hasStats?: boolean;
  /** Default: ten days before `nowMs`. */
  readonly createdMs?: number;
  readonly end?: PodEnd | undefined;
  readonly deletedMs?: number | undefined;
  readonly endsUnmarked?: boolean;
  readonly specialCase?: string | undefined;
}

/** What the pause container of every pod takes. */
export const pauseBytes = 352 * 1024;

export function buildPod(spec: PodSpec, nowMs: number): DemoPod {
  const containers = spec.containers.map((container, index) => buildContainer(container, index));
  const memoryRequest = startingRequest(containers, ({ memoryBytes }) => memoryBytes);
  return {
    namespace: spec.namespace,
    name: spec.name,
    uid: uidOf(`${spec.namespace}/${spec.name}/${spec.incarnation ?? ''}`),
    node: spec.node,
    priorityClass: spec.priorityClass,
    priority: spec.priority ?? priorityOf(spec.priorityClass),
    owner: spec.owner,
    workload: spec.workload ?? spec.owner ?? { kind: 'Pod', name: spec.name },
    qosClass: qosClassOf(containers),
    // The kubelet adds the overhead only to a request above 0 (`pkg/api/v1/resource/helpers.go`).
    requestBytes: memoryRequest === 0 ? 0 : memoryRequest + (spec.overheadBytes ?? 0),
    overheadBytes: spec.overheadBytes,
    runtimeClass: spec.runtimeClass,
    isHostNetwork: spec.isHostNetwork ?? false,
    hasStats: spec.hasStats ?? true,
    createdMs: spec.createdMs ?? nowMs - 10 * dayMs,
    end: spec.end,
    deletedMs: spec.deletedMs,
    endsUnmarked: spec.endsUnmarked ?? false,
    specialCase: spec.specialCase,
    containers,
  };
}

/** In the API at this time, whether it runs or has ended. */
export function existsAt(pod: DemoPod, timeMs: number): boolean {
  return pod.createdMs <= timeMs && (pod.deletedMs === undefined || timeMs < pod.deletedMs);
}

/** Bound to a node and not finished: the pods the kubelet ranks. */
export function runsAt(pod: DemoPod, timeMs: number): boolean {
  return pod.node !== undefined && existsAt(pod, timeMs) && (pod.end === undefined || timeMs < pod.end.atMs);
}

/** Working set of the pod's cgroup: its containers and the pause container. */
export function usageOf(pod: DemoPod, timeMs: number): number {
  return pod.containers.reduce((sum, container) => sum + (container.usageAt?.(timeMs) ?? 0), pauseBytes);
}

function buildContainer(spec: ContainerSpec, index: number): DemoContainer {
  const name = spec.name ?? (index === 0 ? 'app' : `app-${index}`);
  const role = spec.role ?? 'main';
  const requests = { memoryBytes: spec.request ?? spec.limit, cpuCores: spec.cpuRequest ?? spec.cpuLimit };
  const usage = spec.usage ?? (requests.memoryBytes ?? 0) / 2;
  return {
    name,
    image: spec.image ?? `registry.example.com/demo/${name}:1.0.0`,
    role,
    requests,
    limits: { memoryBytes: spec.limit, cpuCores: spec.cpuLimit },
    usageAt: role === 'init' ? undefined : typeof usage === 'number' ? constant(usage) : usage,
    restarts: spec.restarts ?? [],
  };
}

/**
 * status.qosClass (Kubernetes docs, "Pod Quality of Service Classes"). Written apart from `src/kubelet` on purpose:
 * what the demo says of its pods is what the project's own rules are tested against.
 */
function qosClassOf(containers: readonly DemoContainer[]): QosClass {
  const isSet = (value: number | undefined): boolean => value !== undefined && value > 0;
  const sets = ({ memoryBytes, cpuCores }: Resources): boolean => isSet(memoryBytes) || isSet(cpuCores);
  if (!containers.some(({ requests, limits }) => sets(requests) || sets(limits))) {
    return 'BestEffort';
  }
  const isGuaranteed = containers.every(
    ({ requests, limits }) =>
      isSet(limits.memoryBytes) &&
      isSet(limits.cpuCores) &&
      requests.memoryBytes === limits.memoryBytes &&
      requests.cpuCores === limits.cpuCores,
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** Kubernetes docs, "Sidecar Containers", "Resource sharing within containers". */
export function startingRequest(
  containers: readonly DemoContainer[],
  pick: (requests: Resources) => number | undefined,
): number {
  let running = 0;
  let starting = 0;
  for (const { role, requests } of containers.filter((container) => container.role !== 'main')) {
    const amount = pick(requests) ?? 0;
    if (role === 'sidecar') {
      running += amount;
    } else {
      starting = Math.max(starting, running + amount);
    }
  }
  for (const { requests } of containers.filter((container) => container.role === 'main')) {
    running += pick(requests) ?? 0;
  }
  return Math.max(running, starting);
}
