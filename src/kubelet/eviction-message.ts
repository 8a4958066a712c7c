/** The message the kubelet leaves in the status of an evicted pod (`evictionMessage` in pkg/kubelet/eviction/helpers.go). */
import { compareQuantities, formatQuantity, type Quantity, quantityOfBytes } from '../foundation/quantity.ts';
import { type Amount, addAmounts } from './amount.ts';
import { hasPodLevelResources, type PodSpec } from './pod-spec.ts';
import type { StarvedResource } from './signals.ts';

/** `1.20`: as that version wrote it; `current`: as 1.36 does, with the threshold, the pod level and init containers. */
export type MessageStyle = '1.20' | 'current';

/** The numbers the message is made of; an absent one is never a 0 here. */
export interface MessageStats {
  readonly memoryWorkingSetBytes?: Amount | undefined;
  /** In the order of the stats, which the message keeps. */
  readonly containers: readonly ContainerUsage[];
}

export interface ContainerUsage {
  readonly name: string;
  readonly memoryWorkingSetBytes?: Amount | undefined;
  readonly rootfsUsedBytes?: Amount | undefined;
  readonly logsUsedBytes?: Amount | undefined;
}

export interface EvictionMessageInput {
  readonly style: MessageStyle;
  readonly resource: StarvedResource;
  readonly podName: string;
  readonly spec: PodSpec;
  /** undefined = the kubelet found no stats for the pod. */
  readonly stats: MessageStats | undefined;
  readonly threshold?: { readonly quantity: Quantity; readonly available: Quantity } | undefined;
}

export interface EvictionMessage {
  /** Ends with a space, as the kubelet's does. */
  readonly message: string;
  /** Of the event; empty where there were no stats. */
  readonly annotations: Readonly<Record<string, string>>;
}

interface Offender {
  readonly name: string;
  readonly usage: Quantity;
  readonly request: Quantity;
}

const NO_REQUEST: Quantity = { nanos: 0n, format: 'DecimalSI' };

export function writeEvictionMessage(input: EvictionMessageInput): EvictionMessage {
  const { style, resource, stats, threshold } = input;
  let message = `The node was low on resource: ${resource}. `;
  if (style === 'current' && threshold !== undefined) {
    const [quantity, available] = [formatQuantity(threshold.quantity), formatQuantity(threshold.available)];
    message += `Threshold quantity: ${quantity}, available: ${available}. `;
  }
  if (stats === undefined) return { message, annotations: {} };
  const pod = style === 'current' ? podOffender(input, stats) : undefined;
  const offenders = containerOffenders(input, stats);
  if (pod !== undefined) message += `Pod ${describeOffender(pod, input)}`;
  for (const offender of offenders) message += `Container ${describeOffender(offender, input)}`;
  return {
    message,
    annotations: {
      ...(pod === undefined
        ? {}
        : { offending_pod: pod.name, offending_pod_usage: formatQuantity(pod.usage) }),
      offending_containers: offenders.map(({ name }) => name).join(','),
      offending_containers_usage: offenders.map(({ usage }) => formatQuantity(usage)).join(','),
      starved_resource: resource,
    },
  };
}

function describeOffender(
  { name, usage, request }: Offender,
  { style, resource }: EvictionMessageInput,
): string {
  const using = `${name} was using ${formatQuantity(usage)}`;
  const requested = formatQuantity(request);
  return style === '1.20'
    ? `${using}, which exceeds its request of ${requested}. `
    : `${using}, request is ${requested}, has larger consumption of ${resource}. `;
}

/** Named whether it is above its request or not. */
function podOffender(
  { resource, podName, spec }: EvictionMessageInput,
  stats: MessageStats,
): Offender | undefined {
  const request = spec.resources?.requests?.memory;
  const usageBytes = stats.memoryWorkingSetBytes;
  if (
    resource !== 'memory' ||
    !hasPodLevelResources(spec) ||
    request === undefined ||
    usageBytes === undefined
  ) {
    return undefined;
  }
  return { name: podName, usage: quantityOfBytes(usageBytes), request };
}

/** Containers above their own request. 1.20 never names an init container. */
function containerOffenders(
  { style, resource, spec }: EvictionMessageInput,
  stats: MessageStats,
): readonly Offender[] {
  const named = style === '1.20' ? spec.containers : [...spec.containers, ...spec.initContainers];
  return stats.containers.flatMap((container) => {
    const found = named.find(({ name }) => name === container.name);
    const usageBytes = containerUsage(container, resource);
    if (found === undefined || usageBytes === undefined) return [];
    const request = found.requests?.[resource] ?? NO_REQUEST;
    const usage = quantityOfBytes(usageBytes);
    return compareQuantities(usage, request) > 0 ? [{ name: found.name, usage, request }] : [];
  });
}

/** Inodes and processes are not known by container, so nothing is named for them. */
function containerUsage(container: ContainerUsage, resource: StarvedResource): Amount | undefined {
  if (resource === 'memory') return container.memoryWorkingSetBytes;
  if (resource !== 'ephemeral-storage') return undefined;
  const { rootfsUsedBytes, logsUsedBytes } = container;
  if (rootfsUsedBytes === undefined || logsUsedBytes === undefined) return undefined;
  return addAmounts(rootfsUsedBytes, logsUsedBytes);
}
