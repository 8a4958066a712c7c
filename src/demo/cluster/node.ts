import { type Curve, wandering } from './curves.ts';
import type { DemoNode } from './description.ts';
import { gi, mi } from './units.ts';

/** A node in few lines. */
export interface NodeSpec {
  readonly name: string;
  readonly capacityBytes?: number;
  /** Default: what the kubelet leaves after its reservations and the hard threshold, about 94 %. */
  readonly allocatableBytes?: number;
  readonly cpuCores?: number;
  readonly system?: Curve;
  readonly available?: Curve | undefined;
  readonly cadvisorGoneFromMs?: number | undefined;
  readonly evictions?: DemoNode['evictions'];
  readonly hasMemoryPressure?: boolean;
}

export function buildNode(spec: NodeSpec): DemoNode {
  const capacityBytes = spec.capacityBytes ?? gi(16);
  const address = /^ip-(\d+)-(\d+)-(\d+)-(\d+)$/.exec(spec.name)?.slice(1).join('.');
  return {
    name: spec.name,
    ip: address ?? '10.0.0.1',
    capacityBytes,
    allocatableBytes: spec.allocatableBytes ?? Math.floor(capacityBytes * 0.95) - mi(100),
    cpuCores: spec.cpuCores ?? 4,
    systemAt: spec.system ?? wandering(mi(420), mi(560), spec.name),
    availableAt: spec.available,
    cadvisorGoneFromMs: spec.cadvisorGoneFromMs,
    evictions: spec.evictions ?? [],
    hasMemoryPressure: spec.hasMemoryPressure ?? false,
  };
}

/** Working set of the root cgroup, given what the pods use: what memory.available is computed from. */
export function nodeWorkingSetBytes(node: DemoNode, podsBytes: number, timeMs: number): number {
  return node.availableAt === undefined
    ? podsBytes + node.systemAt(timeMs)
    : node.capacityBytes - node.availableAt(timeMs);
}

/** True where nothing answers under the node's /metrics/cadvisor. */
export function isCadvisorGone(node: DemoNode, timeMs: number): boolean {
  return node.cadvisorGoneFromMs !== undefined && timeMs >= node.cadvisorGoneFromMs;
}
