import { addQuantities, compareQuantities, type Quantity } from '../foundation/quantity.ts';
import type { PodSpec, Resources } from './pod-spec.ts';
import type { QosClass } from './qos-class.ts';

/** Only these decide the class; ephemeral storage and extended resources do not. */
export const QOS_RESOURCES = ['cpu', 'memory'] as const;
export type QosResource = (typeof QOS_RESOURCES)[number];

/**
 * The QoS class of exactly this spec (`ComputePodQOS` in pkg/apis/core/v1/helper/qos/qos.go). Ephemeral containers
 * play no part. Where the API server has not seen the spec yet, apply `withApiDefaults` (api-defaults.ts) first.
 *
 * Guaranteed compares the sums over all containers. Later versions compare container by container, which is the same
 * for every pod the API server accepts: no request may be above its limit, so the sums are equal only where all are.
 */
export function computeQosClass(spec: PodSpec): QosClass {
  const all = qosDeciders(spec);
  const requests = QOS_RESOURCES.map((resource) => sumSet(all, 'requests', resource));
  const limits = QOS_RESOURCES.map((resource) => sumSet(all, 'limits', resource));
  if ([...requests, ...limits].every((sum) => sum === undefined)) return 'BestEffort';
  const everyLimitSet = all.every((one) => QOS_RESOURCES.every((resource) => isSet(one.limits?.[resource])));
  const sumsEqual = requests.every((request, index) => isEqual(request, limits[index]));
  return everyLimitSet && sumsEqual ? 'Guaranteed' : 'Burstable';
}

/** What the class is computed from: the pod level where it is set, else every container and init container. */
function qosDeciders(spec: PodSpec): readonly Resources[] {
  return spec.resources === undefined ? [...spec.containers, ...spec.initContainers] : [spec.resources];
}

/** Zero counts as unset. */
export function isSet(quantity: Quantity | undefined): quantity is Quantity {
  return quantity !== undefined && quantity.nanos > 0n;
}

function sumSet(
  all: readonly Resources[],
  side: 'requests' | 'limits',
  resource: QosResource,
): Quantity | undefined {
  return all
    .map((one) => one[side]?.[resource])
    .filter(isSet)
    .reduce<Quantity | undefined>(
      (sum, value) => (sum === undefined ? value : addQuantities(sum, value)),
      undefined,
    );
}

function isEqual(a: Quantity | undefined, b: Quantity | undefined): boolean {
  return a === undefined || b === undefined ? a === b : compareQuantities(a, b) === 0;
}
