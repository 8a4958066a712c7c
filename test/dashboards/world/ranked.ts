import { evictionDistances } from '../../../src/kubelet/distance.ts';
import { memoryPolicy } from '../../../src/kubelet/policies.ts';
import { type RankedCandidate, rankCandidates } from '../../../src/kubelet/rank.ts';
import type { Basis } from '../../../src/snapshot/snapshot.ts';
import { type WorldPod, type worldNodes, worldPods } from './pods.ts';

export interface WorldCandidate {
  readonly pod: WorldPod;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  readonly usage: number | undefined;
  readonly request: number;
  readonly isProtected: boolean;
}

/** Highest usage up to `hours`, in steps of a tenth of an hour. */
export function peakBytes(pod: WorldPod, hours: number): number | undefined {
  const usages = Array.from({ length: Math.floor(hours * 10) + 1 }, (_, i) => pod.usageBytes(i / 10));
  const known = usages.filter((usage) => usage !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

export function usageOnBasis(pod: WorldPod, basis: Basis, hours: number): number | undefined {
  return basis === 'now' ? pod.usageBytes(hours) : peakBytes(pod, hours);
}

/** The pods of a node in the order that the project's own rules give. */
export function rankedOn(
  node: string,
  basis: Basis,
  hours: number,
): readonly RankedCandidate<WorldCandidate>[] {
  const candidates = worldPods
    .filter((pod) => pod.node === node)
    .map((pod) => ({
      pod,
      namespace: pod.namespace,
      name: pod.name,
      priority: pod.priority,
      usage: usageOnBasis(pod, basis, hours),
      request: pod.requestBytes,
      isProtected: pod.isProtected,
    }));
  return rankCandidates(candidates, memoryPolicy);
}

/** Machine memory minus the pods and a constant share of the system. */
export function availableBytes(node: (typeof worldNodes)[number], hours: number): number {
  const used = worldPods
    .filter((pod) => pod.node === node.name)
    .reduce((sum, pod) => sum + (pod.usageBytes(hours) ?? 0), 0);
  return node.machineBytes - 400 * 1024 * 1024 - used;
}

export function distancesOn(
  node: (typeof worldNodes)[number],
  hours: number,
): readonly (number | undefined)[] {
  return evictionDistances(
    rankedOn(node.name, 'now', hours),
    availableBytes(node, hours) - node.thresholdBytes,
  );
}
