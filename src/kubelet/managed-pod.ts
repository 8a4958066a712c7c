/** An active pod with its statistics, as the eviction manager sees both at one pass. */
import { quantityToNumber } from '../foundation/quantity.ts';
import type { Amount } from './amount.ts';
import type { EvictionCandidate } from './candidate.ts';
import {
  type DiskSignal,
  type FilesystemLayout,
  type FilesystemUsage,
  measuredStats,
  podDiskUsage,
  type VolumeSpec,
} from './disk-usage.ts';
import { podRequest } from './pod-request.ts';
import type { PodSpec } from './pod-spec.ts';
import { SIGNALS, type Signal } from './signals.ts';

export interface ManagedPod {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** See critical.ts. */
  readonly isProtected: boolean;
  readonly spec: PodSpec;
  readonly volumes: readonly VolumeSpec[];
  /** spec.terminationGracePeriodSeconds; undefined on Kubernetes 1.20, which does not look at it. */
  readonly terminationGracePeriodSeconds?: number | undefined;
  /** undefined = none found. */
  readonly stats: ManagedPodStats | undefined;
}

/** An absent number counts as 0 in the ranking. */
export interface ManagedPodStats {
  readonly memoryWorkingSetBytes?: Amount | undefined;
  readonly processCount?: Amount | undefined;
  /** The Summary API's own total; where it is absent, as on 1.20, the parts are summed. */
  readonly ephemeralStorageUsedBytes?: Amount | undefined;
  readonly containers: readonly ManagedContainerStats[];
  readonly volumes: readonly (FilesystemUsage & { readonly name: string })[];
}

export interface ManagedContainerStats {
  readonly name: string;
  readonly memoryWorkingSetBytes?: Amount | undefined;
  readonly rootfs?: FilesystemUsage | undefined;
  readonly logs?: FilesystemUsage | undefined;
}

export type ManagedCandidate = EvictionCandidate<Amount> & { readonly pod: ManagedPod };

/** The pod as the comparators see it when this signal's threshold is met. */
export function toCandidate(pod: ManagedPod, signal: Signal, layout: FilesystemLayout): ManagedCandidate {
  const { namespace, name, priority, isProtected } = pod;
  const usage = signalUsage(pod, signal, layout);
  return { namespace, name, priority, isProtected, usage, request: signalRequest(pod.spec, signal), pod };
}

function signalUsage(
  { stats, volumes }: ManagedPod,
  signal: Signal,
  layout: FilesystemLayout,
): Amount | undefined {
  if (stats === undefined) return undefined;
  const { resource } = SIGNALS[signal];
  switch (resource) {
    case 'memory':
      return stats.memoryWorkingSetBytes ?? 0;
    case 'pids':
      return stats.processCount ?? 0;
    default:
      return podDiskUsage(stats, volumes, { stats: measuredStats(signal as DiskSignal, layout), resource });
  }
}

/** Inodes are ranked against the ephemeral-storage request (see policies.ts), processes against nothing. */
function signalRequest(spec: PodSpec, signal: Signal): number {
  const { resource } = SIGNALS[signal];
  if (resource === 'pids') return 0;
  return quantityToNumber(podRequest(spec, resource === 'memory' ? 'memory' : 'ephemeral-storage'));
}
