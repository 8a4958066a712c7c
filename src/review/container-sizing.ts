import { quantityOfBytes, quantityToNumber } from '../foundation/quantity.ts';
import type { ContainerSpec, PodSpec } from '../kubelet/pod-spec.ts';
import { roundUp } from './recommendation.ts';

/** One container that runs as long as its pod: a main container or a sidecar. */
export interface ContainerSizing {
  readonly name: string;
  readonly isSidecar: boolean;
  readonly requestBytes: number | undefined;
  readonly limitBytes: number | undefined;
  /** Window peak of the highest pod; undefined where it is not known. */
  readonly peakBytes: number | undefined;
  readonly recommendedRequestBytes: number | undefined;
  /** Where the limit has to move with the request: to stay equal to it, or not to fall below it. */
  readonly recommendedLimitBytes: number | undefined;
}

/**
 * Shares a pod's need out among its containers, in proportion to their own peaks, else to their requests, else evenly.
 * @param neededBytes need of the whole pod, its overhead included; undefined = nothing is recommended.
 */
export function sizeContainers(
  spec: PodSpec,
  peaks: ReadonlyMap<string, number>,
  neededBytes: number | undefined,
): ContainerSizing[] {
  const running = [...spec.initContainers.filter(({ isSidecar }) => isSidecar === true), ...spec.containers];
  const shares = sharesOf(running, peaks);
  const ownBytes =
    neededBytes === undefined ? undefined : Math.max(0, neededBytes - (memoryOf(spec.overhead) ?? 0));
  return running.map((container, i) => {
    const requestBytes = memoryOf(container.requests);
    const limitBytes = memoryOf(container.limits);
    const share = shares[i] ?? 0;
    const recommended = ownBytes === undefined ? undefined : Math.max(roundUp(ownBytes * share), roundUp(1));
    return {
      name: container.name,
      isSidecar: container.isSidecar === true,
      requestBytes,
      limitBytes,
      peakBytes: peaks.get(container.name),
      recommendedRequestBytes: recommended,
      recommendedLimitBytes: limitFor(recommended, requestBytes, limitBytes),
    };
  });
}

/** The spec with the recommended requests and limits in place. */
export function applySizing(spec: PodSpec, sizing: readonly ContainerSizing[]): PodSpec {
  const byName = new Map(sizing.map((container) => [container.name, container]));
  const apply = (container: ContainerSpec): ContainerSpec => {
    const own = byName.get(container.name);
    if (own?.recommendedRequestBytes === undefined) return container;
    return {
      ...container,
      requests: { ...container.requests, memory: quantityOfBytes(own.recommendedRequestBytes) },
      ...(own.recommendedLimitBytes === undefined
        ? {}
        : { limits: { ...container.limits, memory: quantityOfBytes(own.recommendedLimitBytes) } }),
    };
  };
  return {
    ...spec,
    containers: spec.containers.map(apply),
    initContainers: spec.initContainers.map((container) =>
      container.isSidecar === true ? apply(container) : container,
    ),
  };
}

/** A limit equal to its request stays equal, for the QoS class depends on it; one below the request is not admitted. */
function limitFor(
  recommended: number | undefined,
  requestBytes: number | undefined,
  limitBytes: number | undefined,
): number | undefined {
  if (recommended === undefined || limitBytes === undefined) return undefined;
  return limitBytes === requestBytes || limitBytes < recommended ? recommended : undefined;
}

function sharesOf(running: readonly ContainerSpec[], peaks: ReadonlyMap<string, number>): number[] {
  const byPeak = running.map(({ name }) => peaks.get(name));
  const byRequest = running.map(({ requests }) => memoryOf(requests) ?? 0);
  const weights = byPeak.every((bytes) => bytes !== undefined) ? byPeak : byRequest;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 1 / weights.length : weight / sum));
}

export function memoryOf(list: ContainerSpec['requests']): number | undefined {
  return list?.memory === undefined ? undefined : quantityToNumber(list.memory);
}
