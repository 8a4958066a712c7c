import type { CollectedInputs } from '../inputs/collect.ts';
import { effectiveRequest, type InitRequest } from '../kubelet/request.ts';
import { generationKey, joinKey, podKey } from './keys.ts';
import { samplesBy, valuesBy } from './lookup.ts';

export interface PodRequest {
  readonly bytes: number;
  /** True where sidecars and plain init containers are mixed so that their order, which no metric shows, matters. */
  readonly isOrderUnknown: boolean;
}

/** Looks up the effective request of a pod generation; undefined = requests are not known at all. */
export type RequestOf = (name: string, generation: string) => PodRequest | undefined;

/** Effective memory requests, from whichever source answered. */
export function requestLookup(inputs: CollectedInputs): RequestOf {
  const { pod_request: input } = inputs.rows;
  if (input.outcome !== 'ok') return () => undefined;
  return input.source?.exporter === 'scheduler' ? schedulerRequests(inputs) : containerRequests(inputs);
}

/**
 * kube-scheduler's sum is the kubelet's, but it always adds the overhead, where the kubelet leaves a request of zero
 * at zero (GetResourceRequestQuantity in pkg/api/v1/resource/helpers.go). It emits no zeros.
 */
function schedulerRequests({ rows }: CollectedInputs): RequestOf {
  const requests = valuesBy(rows.pod_request, podKey);
  const overheads = valuesBy(rows.pod_overhead, generationKey);
  return (name, generation) => {
    const bytes = requests.get(name) ?? 0;
    return { bytes: bytes === overheads.get(generation) ? 0 : bytes, isOrderUnknown: false };
  };
}

function containerRequests({ rows }: CollectedInputs): RequestOf {
  const containers = valuesBy(rows.pod_request, generationKey);
  const inits = samplesBy(rows.init_request, generationKey);
  const overheads = valuesBy(rows.pod_overhead, generationKey);
  const { sidecars } = rows;
  const isSidecar = new Set(
    sidecars.samples.map((sample) =>
      joinKey(generationKey(sample, sidecars.keys), sample.labels[sidecars.keys.container]),
    ),
  );
  const containerLabel = rows.init_request.keys.container;

  return (_name, generation) => {
    const initContainers = (inits.get(generation) ?? []).map(
      (sample): InitRequest => ({
        request: sample.value,
        isSidecar: isSidecar.has(joinKey(generation, sample.labels[containerLabel])),
      }),
    );
    const requestInOrder = (order: readonly InitRequest[]): number =>
      effectiveRequest({
        containers: [containers.get(generation)],
        initContainers: order,
        overhead: overheads.get(generation),
      });
    if (initContainers.length === 0) return { bytes: requestInOrder([]), isOrderUnknown: false };
    // Meshes put their sidecar first, so that is the order assumed; the other extreme tells whether it matters.
    const sidecarsFirst = requestInOrder(
      initContainers.toSorted((a, b) => Number(b.isSidecar) - Number(a.isSidecar)),
    );
    const sidecarsLast = requestInOrder(
      initContainers.toSorted((a, b) => Number(a.isSidecar) - Number(b.isSidecar)),
    );
    return { bytes: sidecarsFirst, isOrderUnknown: sidecarsFirst !== sidecarsLast };
  };
}
