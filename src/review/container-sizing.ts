import { quantityOfBytes, quantityToNumber } from '../foundation/quantity.ts';
import type { ContainerSpec, PodSpec } from '../kubelet/pod-spec.ts';
import { summarizeHourlyPeaks } from './hourly-peaks.ts';
import { roundUp } from './recommendation.ts';

/** One container that runs as long as its pod: a main container or a sidecar. */
export interface ContainerSizing {
  readonly name: string;
  readonly isSidecar: boolean;
  readonly requestBytes: number | undefined;
  readonly limitBytes: number | undefined;
  /** Of the hourly peaks of the highest pod that lives now; undefined where nothing is known. */
  readonly peakBytes: number | undefined;
  readonly p99Bytes: number | undefined;
  readonly p95Bytes: number | undefined;
  readonly recommendedRequestBytes: number | undefined;
  /** Where the limit has to move with the request: to stay equal to it, or not to fall below it. */
  readonly recommendedLimitBytes: number | undefined;
  /** The limit would have been lowered, but what the container needs is known for too short a time. */
  readonly isLimitHeld: boolean;
}

/** Need of the whole pod, its overhead included, and the share of it on top of the peak. */
export interface PodNeed {
  readonly neededBytes: number;
  readonly margin: number;
  readonly observedHours: number;
}

/**
 * Peaks of containers are those of the pods that live now; the need of the pod knows earlier ones, too. After a rollout
 * the containers may not have met their load yet.
 */
const ENOUGH_OF_HOURS = 0.9;

/**
 * Shares a pod's need out among its containers, in proportion to their own peaks, else to their requests, else evenly.
 * The kubelet compares the sum, and containers rarely peak together, so a margin on each would be more than the pod
 * needs. But a container whose limit moves gets its own peak and margin: its limit must not kill it. Nor is a limit
 * lowered where the peaks of one of several containers are known for a shorter time than those of the pod.
 * @param hours hourly peaks by container name, NaN = no data.
 * @param need undefined = nothing is recommended; `observedHours` of the pod's own peaks.
 */
export function sizeContainers(
  spec: PodSpec,
  hours: ReadonlyMap<string, readonly number[]>,
  need: PodNeed | undefined,
): ContainerSizing[] {
  const running = [...spec.initContainers.filter(({ isSidecar }) => isSidecar === true), ...spec.containers];
  const hourly = running.map(({ name }) => summarizeHourlyPeaks(hours.get(name) ?? [], undefined));
  const wantedHours = (need?.observedHours ?? 0) * ENOUGH_OF_HOURS;
  // One alone is the pod, whose own peaks are known.
  const isKnown = hourly.map(
    (peaks) => running.length === 1 || (peaks !== undefined && peaks.observedHours >= wantedHours),
  );
  const shares = sharesOf(
    running,
    hourly.map((peaks, i) => (isKnown[i] ? peaks?.peakBytes : undefined)),
  );
  const ownBytes =
    need === undefined ? undefined : Math.max(0, need.neededBytes - (memoryOf(spec.overhead) ?? 0));
  return running.map((container, i) => {
    const requestBytes = memoryOf(container.requests);
    const limitBytes = memoryOf(container.limits);
    const { peakBytes, p99Bytes, p95Bytes } = hourly[i] ?? {};
    const sharedBytes =
      ownBytes === undefined ? undefined : Math.max(roundUp(ownBytes * (shares[i] ?? 0)), roundUp(1));
    const limit = limitFor(sharedBytes, requestBytes, limitBytes);
    const isLimitHeld = limit !== undefined && limit < (limitBytes ?? 0) && !isKnown[i];
    const recommended =
      sharedBytes === undefined || limit === undefined
        ? sharedBytes
        : Math.max(
            sharedBytes,
            roundUp((peakBytes ?? 0) * (1 + (need?.margin ?? 0))),
            isLimitHeld ? (limitBytes ?? 0) : 0,
          );
    return {
      name: container.name,
      isSidecar: container.isSidecar === true,
      requestBytes,
      limitBytes,
      peakBytes,
      p99Bytes,
      p95Bytes,
      recommendedRequestBytes: recommended,
      recommendedLimitBytes: limitFor(recommended, requestBytes, limitBytes),
      isLimitHeld,
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

function sharesOf(running: readonly ContainerSpec[], peaks: readonly (number | undefined)[]): number[] {
  const byRequest = running.map(({ requests }) => memoryOf(requests) ?? 0);
  const weights = peaks.every((bytes) => bytes !== undefined) ? peaks : byRequest;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 1 / weights.length : weight / sum));
}

export function memoryOf(list: ContainerSpec['requests']): number | undefined {
  return list?.memory === undefined ? undefined : quantityToNumber(list.memory);
}
