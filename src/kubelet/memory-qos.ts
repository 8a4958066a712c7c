/**
 * What a kubelet with the feature MemoryQoS writes to cgroup v2 (pkg/kubelet/kuberuntime/kuberuntime_container_linux.go,
 * pkg/kubelet/cm/qos_container_manager_linux.go; KEP-2570). All numbers are bytes; undefined = not written.
 */
import { type Quantity, wholeValue } from '../foundation/quantity.ts';
import { cgroupRequest } from './pod-request.ts';
import type { ContainerSpec, PodSpec } from './pod-spec.ts';
import type { QosClass } from './qos-class.ts';

/** `memoryReservationPolicy` of the KubeletConfiguration (since 1.36); `None` is its default. */
export type MemoryReservationPolicy = 'None' | 'TieredReservation';

export interface MemoryQosSettings {
  /** `memoryThrottlingFactor`, 0 to 1; undefined = unset, no memory.high. */
  readonly throttlingFactor: number | undefined;
  readonly reservationPolicy: MemoryReservationPolicy;
  /** Stands in for a missing limit; undefined = not known, no memory.high for such a container. */
  readonly nodeAllocatableBytes: number | undefined;
  readonly pageSizeBytes?: number | undefined;
}

export interface CgroupMemory {
  /** Never reclaimed: others are OOM-killed first. */
  readonly minBytes: number | undefined;
  /** Reclaimed only where nothing unprotected is left. */
  readonly lowBytes: number | undefined;
  /** Above it the container is throttled and reclaimed from; not a kill. */
  readonly highBytes: number | undefined;
}

export interface PodMemoryQos {
  readonly pod: CgroupMemory;
  readonly containers: readonly (CgroupMemory & { readonly container: string; readonly isInit: boolean })[];
}

const NOTHING: CgroupMemory = { minBytes: undefined, lowBytes: undefined, highBytes: undefined };
const DEFAULT_PAGE_SIZE_BYTES = 4096;

/** Of one pod and its containers. */
export function podMemoryQos(spec: PodSpec, qosClass: QosClass, settings: MemoryQosSettings): PodMemoryQos {
  const containersOf = (containers: readonly ContainerSpec[], isInit: boolean) =>
    containers.map((container) => ({
      container: container.name,
      isInit,
      ...reservation(bytesOf(container.requests?.memory), qosClass, settings),
      highBytes: memoryHigh(container, qosClass, settings),
    }));
  return {
    pod: { ...reservation(bytesOf(cgroupRequest(spec, 'memory')), qosClass, settings), highBytes: undefined },
    containers: [...containersOf(spec.containers, false), ...containersOf(spec.initContainers, true)],
  };
}

/** Of the cgroups above the pods: protection only holds as far as every ancestor grants it. */
export function ancestorMemoryQos(
  pods: readonly { readonly spec: PodSpec; readonly qosClass: QosClass }[],
  { reservationPolicy }: MemoryQosSettings,
): { readonly kubepods: CgroupMemory; readonly burstable: CgroupMemory } {
  if (reservationPolicy === 'None') return { kubepods: NOTHING, burstable: NOTHING };
  const requests = (qosClass: QosClass) =>
    pods
      .filter((pod) => pod.qosClass === qosClass)
      .reduce((sum, { spec }) => sum + bytesOf(cgroupRequest(spec, 'memory')), 0);
  const [guaranteed, burstable] = [requests('Guaranteed'), requests('Burstable')];
  return {
    kubepods: { minBytes: guaranteed + burstable, lowBytes: burstable, highBytes: undefined },
    burstable: { minBytes: undefined, lowBytes: burstable, highBytes: undefined },
  };
}

function reservation(
  requestBytes: number,
  qosClass: QosClass,
  { reservationPolicy }: MemoryQosSettings,
): CgroupMemory {
  if (reservationPolicy === 'None' || requestBytes === 0) return NOTHING;
  if (qosClass === 'Guaranteed') return { ...NOTHING, minBytes: requestBytes };
  return qosClass === 'Burstable' ? { ...NOTHING, lowBytes: requestBytes } : NOTHING;
}

/** request + factor · ((limit or node allocatable) − request), in whole pages; only where that is above the request. */
function memoryHigh(
  { requests, limits }: ContainerSpec,
  qosClass: QosClass,
  settings: MemoryQosSettings,
): number | undefined {
  const { throttlingFactor, nodeAllocatableBytes, pageSizeBytes = DEFAULT_PAGE_SIZE_BYTES } = settings;
  const requestBytes = bytesOf(requests?.memory);
  const limitBytes = bytesOf(limits?.memory) || nodeAllocatableBytes;
  if (qosClass === 'Guaranteed' || throttlingFactor === undefined || limitBytes === undefined)
    return undefined;
  if (requestBytes === limitBytes) return undefined;
  const highBytes = requestBytes + throttlingFactor * (limitBytes - requestBytes);
  const wholePages = Math.floor(highBytes / pageSizeBytes) * pageSizeBytes;
  return wholePages > requestBytes ? wholePages : undefined;
}

/** 0 where unset, as the kubelet reads it. */
function bytesOf(quantity: Quantity | undefined): number {
  return quantity === undefined ? 0 : Number(wholeValue(quantity));
}
