import type { CollectedInputs } from '../inputs/collect.ts';
import { effectiveRequest, type InitRequest } from '../kubelet/request.ts';
import type { LivePods } from './generations.ts';
import { droppedPods, samplesByPod, valuesByPod } from './lookup.ts';

export interface PodRequest {
  readonly bytes: number;
  /** True where sidecars and plain init containers are mixed so that their order, which no metric shows, matters. */
  readonly isOrderUnknown: boolean;
}

type InitsOf = (pod: number) => readonly InitRequest[];

/** Looks up the effective request of a living pod by its number; undefined = requests are not known at all. */
export type RequestOf = (pod: number) => PodRequest | undefined;

/** Effective memory requests, from whichever source answered. A sample that was dropped is no request of 0. */
export function requestLookup(inputs: CollectedInputs, live: LivePods, initsOf: InitsOf): RequestOf {
  const { pod_request: input, init_request, pod_overhead, sidecars } = inputs.rows;
  if (input.outcome !== 'ok') return () => undefined;
  const isScheduler = input.source?.exporter === 'scheduler';
  const requestOf = isScheduler ? schedulerRequests(inputs, live) : containerRequests(inputs, live, initsOf);
  const lost = new Set([
    ...droppedPods(input, live, isScheduler ? 'byName' : 'byGeneration'),
    ...[init_request, pod_overhead, sidecars].flatMap((row) => [...droppedPods(row, live, 'byGeneration')]),
  ]);
  return lost.size === 0 ? requestOf : (pod) => (lost.has(pod) ? undefined : requestOf(pod));
}

/**
 * Requests of the init containers of a living pod, as far as they have any. Meshes put their sidecar first, so that is
 * the order assumed.
 */
export function initLookup({ rows }: CollectedInputs, live: LivePods): InitsOf {
  const inits = samplesByPod(rows.init_request, live, 'byGeneration');
  const sidecars = samplesByPod(rows.sidecars, live, 'byGeneration');
  const nameOfInit = rows.init_request.keys.container;
  const nameOfSidecar = rows.sidecars.keys.container;
  return (pod) => {
    const own = inits.get(pod);
    if (own === undefined) return [];
    const sidecarNames = new Set(sidecars.get(pod)?.map(({ labels }) => labels[nameOfSidecar]));
    return own
      .map(({ labels, value }) => ({ request: value, isSidecar: sidecarNames.has(labels[nameOfInit]) }))
      .sort((a, b) => Number(b.isSidecar) - Number(a.isSidecar));
  };
}

/**
 * What init containers alone make a living pod request, with the sidecars beside them and its overhead: lowering the
 * other requests below it frees nothing. Undefined where no init container that ends requests anything.
 */
export function initNeedLookup(
  { rows }: CollectedInputs,
  live: LivePods,
  initsOf: InitsOf,
): (pod: number) => number | undefined {
  const overheads = valuesByPod(rows.pod_overhead, live, 'byGeneration');
  return (pod) => {
    const initContainers = initsOf(pod);
    if (initContainers.every(({ isSidecar }) => isSidecar)) return undefined;
    return effectiveRequest({ containers: [], initContainers, overhead: overheads[pod] });
  };
}

/**
 * kube-scheduler's sum is the kubelet's, but it always adds the overhead, where the kubelet leaves a request of zero
 * at zero (GetResourceRequestQuantity in pkg/api/v1/resource/helpers.go). It emits no zeros.
 */
function schedulerRequests({ rows }: CollectedInputs, live: LivePods): RequestOf {
  const requests = valuesByPod(rows.pod_request, live, 'byName');
  const overheads = valuesByPod(rows.pod_overhead, live, 'byGeneration');
  return (pod) => {
    const bytes = requests[pod] ?? 0;
    return { bytes: bytes === overheads[pod] ? 0 : bytes, isOrderUnknown: false };
  };
}

function containerRequests({ rows }: CollectedInputs, live: LivePods, initsOf: InitsOf): RequestOf {
  const containers = valuesByPod(rows.pod_request, live, 'byGeneration');
  const overheads = valuesByPod(rows.pod_overhead, live, 'byGeneration');

  return (pod) => {
    const initContainers = initsOf(pod);
    const requestInOrder = (order: readonly InitRequest[]): number =>
      effectiveRequest({
        containers: [containers[pod]],
        initContainers: order,
        overhead: overheads[pod],
      });
    if (initContainers.length === 0) return { bytes: requestInOrder([]), isOrderUnknown: false };
    // The other extreme tells whether the order matters.
    const sidecarsFirst = requestInOrder(initContainers);
    const sidecarsLast = requestInOrder(
      initContainers.toSorted((a, b) => Number(a.isSidecar) - Number(b.isSidecar)),
    );
    return { bytes: sidecarsFirst, isOrderUnknown: sidecarsFirst !== sidecarsLast };
  };
}
