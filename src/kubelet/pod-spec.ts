/** The parts of a pod's spec that requests, QoS class and OOM score depend on; a Kubernetes pod fits after parsing. */
import { parseQuantity, type Quantity } from '../foundation/quantity.ts';

/** By resource name: cpu, memory, ephemeral-storage, hugepages-2Mi, … */
export type ResourceList = Readonly<Record<string, Quantity | undefined>>;

export interface Resources {
  readonly requests?: ResourceList | undefined;
  readonly limits?: ResourceList | undefined;
}

export interface ContainerSpec extends Resources {
  readonly name: string;
  /** An init container with `restartPolicy: Always`; meaningless among the main containers. */
  readonly isSidecar?: boolean | undefined;
}

export interface PodSpec {
  readonly containers: readonly ContainerSpec[];
  /** In the order of the spec. */
  readonly initContainers: readonly ContainerSpec[];
  readonly overhead?: ResourceList | undefined;
  /** spec.resources, the pod level. */
  readonly resources?: Resources | undefined;
}

/** Every quantity of a map as Kubernetes writes it (JSON may hold bare numbers). Throws QuantityError. */
export function parseResourceList(list: Readonly<Record<string, string | number>>): ResourceList {
  return Object.fromEntries(
    Object.entries(list).map(([resource, text]) => [resource, parseQuantity(String(text))]),
  );
}

/** What may be set at pod level (`IsSupportedPodLevelResource`). */
export const POD_LEVEL_RESOURCE = /^(cpu|memory|hugepages-.*)$/;

/**
 * True where spec.resources sets anything that may be set at pod level; then containers count for no request at all
 * (`IsPodLevelResourcesSet` in component-helpers/resource/helpers.go). Always false on Kubernetes 1.20.
 */
export function hasPodLevelResources({ resources }: PodSpec): boolean {
  return [resources?.requests, resources?.limits].some((list) =>
    Object.entries(list ?? {}).some(([name, value]) => value !== undefined && POD_LEVEL_RESOURCE.test(name)),
  );
}
