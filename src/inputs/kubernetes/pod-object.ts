import { z } from 'zod';
import type { ContainerSpec, PodSpec, ResourceList } from '../../kubelet/pod-spec.ts';
import { list, name, optional, priority, quantities, time } from './field-schemas.ts';
import type { ObjectKind } from './object-list.ts';

export const podKind: ObjectKind = { kind: 'Pod', command: 'kubectl get pods -A -o json' };

const resources = optional(z.object({ requests: quantities, limits: quantities }));
const container = z.object({ name, restartPolicy: optional(z.string()), resources });
const containerStatus = z.object({ name, allocatedResources: quantities });
const source = optional(z.looseObject({}));
const volume = z.object({
  name,
  hostPath: source,
  configMap: source,
  gitRepo: source,
  emptyDir: optional(z.object({ medium: optional(z.string()) })),
});
const owner = z.object({ kind: name, name, controller: optional(z.boolean()) });

/** A Pod of any Kubernetes version, as far as ranking needs it. */
export const podObject = z
  .object({
    metadata: z.object({
      name,
      namespace: z.string().min(1).default('default'),
      uid: optional(z.string()),
      labels: optional(z.record(z.string(), z.string())),
      annotations: optional(z.record(z.string(), z.string())),
      ownerReferences: list(owner),
    }),
    spec: z.object({
      nodeName: optional(z.string()),
      priority: optional(priority),
      priorityClassName: optional(z.string()),
      containers: list(container),
      initContainers: list(container),
      overhead: quantities,
      resources,
      volumes: list(volume),
    }),
    status: optional(
      z.object({
        phase: optional(z.string()),
        qosClass: optional(z.enum(['Guaranteed', 'Burstable', 'BestEffort'])),
        startTime: optional(time),
        containerStatuses: list(containerStatus),
        initContainerStatuses: list(containerStatus),
      }),
    ),
  })
  .transform(({ metadata, spec, status }) => ({
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    owner: metadata.ownerReferences.find(({ controller }) => controller === true),
    isOwnedByNode: metadata.ownerReferences.some(({ kind }) => kind === 'Node'),
    node: spec.nodeName,
    priority: spec.priority,
    priorityClass: spec.priorityClassName,
    phase: status?.phase,
    qosClass: status?.qosClass,
    startedAtMs: status?.startTime,
    volumes: spec.volumes,
    spec: {
      containers: spec.containers.map((one) => containerSpec(one, status?.containerStatuses)),
      initContainers: spec.initContainers.map((one) => containerSpec(one, status?.initContainerStatuses)),
      overhead: spec.overhead,
      // An empty object sets nothing; only a filled one makes the containers' values meaningless.
      resources:
        spec.resources?.requests === undefined && spec.resources?.limits === undefined
          ? undefined
          : spec.resources,
    } satisfies PodSpec,
  }));

export type KubernetesPod = z.output<typeof podObject>;

/** Where a pod runs that could not be read otherwise; undefined where not even that is known. */
export function nodeOfUnreadablePod(value: unknown): string | undefined {
  return z.object({ spec: z.object({ nodeName: z.string() }) }).safeParse(value).data?.spec.nodeName;
}

/**
 * The kubelet ranks by the resources it has allocated, which differ from the spec while a resize in place is pending
 * (`allocatedResources` of the container status, since Kubernetes 1.27).
 */
function containerSpec(
  one: z.output<typeof container>,
  statuses: readonly z.output<typeof containerStatus>[] = [],
): ContainerSpec {
  const allocated: ResourceList =
    statuses.find((status) => status.name === one.name)?.allocatedResources ?? {};
  const { requests, limits } = one.resources ?? {};
  return {
    name: one.name,
    isSidecar: one.restartPolicy === 'Always',
    requests: requests === undefined ? undefined : { ...requests, ...allocated },
    limits,
  };
}
