import { EvictrankError } from '../foundation/errors.ts';
import type { Quantity, QuantityFormat } from '../foundation/quantity.ts';
import { compareText } from '../foundation/text-order.ts';
import type { CollectedPodDetail, PodDetailInputId } from '../inputs/pod-detail-inputs.ts';
import type { ContainerSpec, PodSpec, ResourceList } from '../kubelet/pod-spec.ts';
import type { Sample } from '../prometheus/client.ts';

/** How a container ended the last time it did. */
export interface LastTermination {
  readonly container: string;
  /** `OOMKilled`, `Error`, `Completed`, … */
  readonly reason: string;
}

/** What the snapshot does not hold of a pod: its spec, as far as resources go. */
export interface PodDetail {
  readonly spec: PodSpec;
  /** False: no source says what class Kubernetes gave the pod, and the one it is shown with is computed. */
  readonly isQosClassReported: boolean;
  readonly restartPolicy: string | undefined;
  readonly lastTerminations: readonly LastTermination[];
  /** What the source cannot show or did not answer, one sentence each. */
  readonly gaps: readonly string[];
}

/** Too little is known of the pod's containers to say anything sound about them. */
export class PodDetailError extends EvictrankError {
  override readonly name = 'PodDetailError';
}

const formats: Readonly<Record<string, QuantityFormat>> = { cpu: 'DecimalSI', memory: 'BinarySI' };
const NANOS_PER_UNIT = 1e9;

const notVisible =
  'kube-state-metrics does not show resources set for the pod as a whole (spec.resources), nor the order of init containers; both are taken as absent.';

/**
 * The containers of a pod from the series of kube-state-metrics, sidecars before plain init containers.
 * @throws PodDetailError where the containers or their requests and limits are not known.
 */
export function buildPodDetail(collected: CollectedPodDetail): PodDetail {
  const { rows, keys, failed, dropped, missingMetrics } = collected;
  if (missingMetrics.length > 0) {
    throw new PodDetailError(`Prometheus has no series of ${missingMetrics.join(' and ')} at all`, {
      remedy: 'allow them in kube-state-metrics and in what drops series on the way',
    });
  }
  if (dropped.length > 0) {
    const names = dropped.map((id) => id.replaceAll('_', ' ')).join(' and ');
    throw new PodDetailError(`${names} of the pod came as NaN, infinite or too large to be true`, {
      remedy: 'see which exporter or rule writes such values',
    });
  }
  const containers = containersOf(rows.containers, rows.requests, rows.limits, keys.container);
  if (containers.length === 0) {
    throw new PodDetailError('kube-state-metrics shows no container of the pod yet', {
      remedy: 'it does once they have started; check that kube_pod_container_info is allowed',
    });
  }
  const policies = new Map(
    rows.init_containers.map(({ labels }) => [labels[keys.container], labels.restart_policy]),
  );
  const initContainers = containersOf(
    rows.init_containers,
    rows.init_requests,
    rows.init_limits,
    keys.container,
  ).map((container) => ({ ...container, isSidecar: policies.get(container.name) === 'Always' }));
  const overhead = rows.overhead_memory[0];
  return {
    spec: {
      containers,
      initContainers: initContainers.toSorted((a, b) => Number(b.isSidecar) - Number(a.isSidecar)),
      ...(overhead === undefined ? {} : { overhead: { memory: quantityOf('memory', overhead.value) } }),
    },
    isQosClassReported: true,
    restartPolicy: rows.restart_policy.find(({ value }) => value === 1)?.labels.type,
    lastTerminations: rows.last_terminated
      .filter(({ value }) => value === 1)
      .map(({ labels }) => ({ container: labels[keys.container] ?? '', reason: labels.reason ?? '' })),
    gaps: [notVisible, ...failed.map(describeFailed)],
  };
}

function describeFailed(id: PodDetailInputId): string {
  return `The query for ${id.replaceAll('_', ' ')} failed, so it is not shown.`;
}

/** Containers without requests and limits have no series but the one of their information. */
export function containersOf(
  info: readonly Sample[],
  requests: readonly Sample[],
  limits: readonly Sample[],
  containerLabel: string,
): readonly ContainerSpec[] {
  const names = new Set(
    info.map(({ labels }) => labels[containerLabel]).filter((name) => name !== undefined),
  );
  const listOf = (samples: readonly Sample[], name: string): ResourceList =>
    Object.fromEntries(
      samples
        .filter(({ labels }) => labels[containerLabel] === name)
        .map(({ labels: { resource = '' }, value }) => [
          resource.replaceAll('_', '-'),
          quantityOf(resource, value),
        ]),
    );
  return [...names]
    .toSorted(compareText)
    .map((name) => ({ name, requests: listOf(requests, name), limits: listOf(limits, name) }));
}

/** Rounded to billionths, the smallest step of a quantity, which a float of Prometheus misses by a hair. */
export function quantityOf(resource: string, value: number): Quantity {
  const whole = Math.trunc(value);
  const nanos = BigInt(whole) * BigInt(NANOS_PER_UNIT) + BigInt(Math.round((value - whole) * NANOS_PER_UNIT));
  return { nanos, format: formats[resource] ?? 'DecimalSI' };
}
