import { type Amount, addAmounts } from './amount.ts';

/** What a pod asks for of one resource, in any one unit; undefined = nothing is set. */
export interface RequestParts<A extends Amount = number> {
  readonly containers: readonly (A | undefined)[];
  /** In the order of the spec, which matters for sidecars. */
  readonly initContainers: readonly InitRequest<A>[];
  readonly overhead?: A | undefined;
  /** Present where spec.resources sets cpu, memory or hugepages, even if it sets nothing of this very resource. */
  readonly podLevel?: { readonly request: A | undefined } | undefined;
}

export interface InitRequest<A extends Amount = number> {
  readonly request: A | undefined;
  /** `restartPolicy: Always`: keeps running beside the containers. */
  readonly isSidecar: boolean;
}

/**
 * A pod's request as eviction ranking sees it: `GetResourceRequestQuantity` in pkg/api/v1/resource/helpers.go.
 * Kubernetes 1.20 knows neither sidecars nor pod-level resources; for pods without either the answer is the same.
 * The answer is in the unit of the parts; 0 where nothing is requested.
 */
export function effectiveRequest(parts: RequestParts): number;
export function effectiveRequest(parts: RequestParts<Amount>): Amount;
export function effectiveRequest(parts: RequestParts<Amount>): Amount {
  const { podLevel, overhead = 0 } = parts;
  const request = podLevel === undefined ? containersRequest(parts) : (podLevel.request ?? 0);
  // A zero request stays zero, so a BestEffort pod exceeds it with its first byte.
  return Number(request) === 0 ? request : addAmounts(request, overhead);
}

function containersRequest({ containers, initContainers }: RequestParts<Amount>): Amount {
  let sidecars: Amount = 0;
  let largestInit: Amount = 0;
  for (const { request = 0, isSidecar } of initContainers) {
    if (isSidecar) {
      sidecars = addAmounts(sidecars, request);
    } else {
      // A plain init container runs beside the sidecars declared before it.
      const init = addAmounts(sidecars, request);
      if (init > largestInit) largestInit = init;
    }
  }
  const main = containers.reduce<Amount>((sum, request = 0) => addAmounts(sum, request), sidecars);
  return main > largestInit ? main : largestInit;
}
