import { quantityToNumber } from '../foundation/quantity.ts';
import type { Amount } from '../kubelet/amount.ts';
import type { EvictionCandidate } from '../kubelet/candidate.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import {
  type DiskSignal,
  type FilesystemLayout,
  measuredStats,
  podDiskUsage,
} from '../kubelet/disk-usage.ts';
import { podRequest } from '../kubelet/pod-request.ts';
import { diskPolicy, inodesPolicy, memoryPolicy, type Policy, pidPolicy } from '../kubelet/policies.ts';
import { type RankedCandidate, rankCandidates } from '../kubelet/rank.ts';
import { SIGNALS, type Signal, type StarvedResource } from '../kubelet/signals.ts';
import { type PodResources, workingSet } from '../model/kubernetes/pod-resources.ts';
import type { Pod } from '../model/pod.ts';

/** What runs short on a node. The layout matters for disk signals alone. */
export interface Pressure {
  readonly signal: Signal;
  readonly layout: FilesystemLayout;
}

/**
 * Usage and request in billionths of the resource's unit, the smallest step of a Kubernetes quantity: so a request of
 * half a byte and a working set above 2^53 are both compared exactly.
 */
export interface PressureCandidate extends EvictionCandidate<bigint> {
  readonly pod: Pod;
}

const NANOS = 1_000_000_000n;

interface Measure {
  readonly policy: Policy;
  /** In the unit of the resource; undefined without stats. */
  readonly usage: (pod: PodResources, pressure: Pressure) => Amount | undefined;
  /** The resource whose request counts; undefined = none can be requested. */
  readonly requested: 'memory' | 'ephemeral-storage' | undefined;
}

const measures: Readonly<Record<StarvedResource, Measure>> = {
  memory: {
    policy: memoryPolicy,
    usage: ({ stats }) => (stats === undefined ? undefined : workingSet(stats)),
    requested: 'memory',
  },
  'ephemeral-storage': { policy: diskPolicy, usage: diskUsage, requested: 'ephemeral-storage' },
  inodes: { policy: inodesPolicy, usage: diskUsage, requested: 'ephemeral-storage' },
  pids: {
    policy: pidPolicy,
    usage: ({ stats }) => (stats === undefined ? undefined : (stats.processes ?? 0)),
    requested: undefined,
  },
};

/** The pods of one node in the order in which the kubelet would evict them under this pressure. */
export function rankUnderPressure(
  pods: readonly PodResources[],
  pressure: Pressure,
): readonly RankedCandidate<PressureCandidate>[] {
  const { policy, usage, requested } = measures[SIGNALS[pressure.signal].resource];
  return rankCandidates(
    pods.map((resources): PressureCandidate => {
      const { pod, spec } = resources;
      const used = usage(resources, pressure);
      return {
        pod,
        namespace: pod.namespace,
        name: pod.name,
        priority: pod.priority,
        usage: used === undefined ? undefined : BigInt(used) * NANOS,
        request: requested === undefined ? 0n : podRequest(spec, requested).nanos,
        isProtected: isCriticalPod({ isStatic: pod.isStatic, priority: pod.priority }),
      };
    }),
    policy,
  );
}

/** In whole units, exact: a bigint where a number would not be; a fraction where the request has one. */
export function inUnits(nanos: bigint): Amount {
  const units = nanos / NANOS;
  if (units * NANOS !== nanos) return quantityToNumber({ nanos, format: 'DecimalSI' });
  const asNumber = Number(units);
  return Number.isSafeInteger(asNumber) ? asNumber : units;
}

function diskUsage({ stats, volumes }: PodResources, { signal, layout }: Pressure): Amount | undefined {
  if (stats === undefined) return undefined;
  const { resource } = SIGNALS[signal];
  if (resource !== 'ephemeral-storage' && resource !== 'inodes') return undefined;
  return podDiskUsage(stats.disk, volumes, { stats: measuredStats(signal as DiskSignal, layout), resource });
}
