import type { Quantity } from '../foundation/quantity.ts';
import { type ContainerSpec, hasPodLevelResources, type PodSpec } from './pod-spec.ts';
import { effectiveRequest, type RequestParts } from './request.ts';

/** A pod's request for one resource as eviction ranking sees it (request.ts), exact. */
export function podRequest(spec: PodSpec, resource: string): Quantity {
  return toQuantity(effectiveRequest(requestParts(spec, resource)));
}

/**
 * The request of the pod's cgroup, and of the scheduler: overhead counts even on top of a zero request
 * (`PodRequests` in component-helpers/resource/helpers.go).
 */
export function cgroupRequest(spec: PodSpec, resource: string): Quantity {
  const withoutOverhead = effectiveRequest({ ...requestParts(spec, resource), overhead: undefined });
  const overhead = spec.overhead?.[resource]?.nanos ?? 0n;
  return toQuantity(BigInt(withoutOverhead) + overhead);
}

/** What the containers ask for together, whatever is set at pod level (`AggregateContainerRequests`). */
export function containersRequest(spec: PodSpec, resource: string): Quantity {
  return toQuantity(
    effectiveRequest({ ...requestParts(spec, resource), overhead: undefined, podLevel: undefined }),
  );
}

function requestParts(spec: PodSpec, resource: string): RequestParts<bigint> {
  const requestOf = ({ requests }: Pick<ContainerSpec, 'requests'>) => requests?.[resource]?.nanos;
  return {
    containers: spec.containers.map(requestOf),
    initContainers: spec.initContainers.map((container) => ({
      request: requestOf(container),
      isSidecar: container.isSidecar ?? false,
    })),
    overhead: spec.overhead?.[resource]?.nanos,
    podLevel: hasPodLevelResources(spec) ? { request: requestOf(spec.resources ?? {}) } : undefined,
  };
}

function toQuantity(nanos: number | bigint): Quantity {
  return { nanos: BigInt(nanos), format: 'BinarySI' };
}
