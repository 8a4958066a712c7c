import type { Amount } from '../../kubelet/amount.ts';
import type { FilesystemLayout } from '../../kubelet/disk-usage.ts';
import { SIGNALS, type Signal } from '../../kubelet/signals.ts';
import { filesystemLayout } from '../../model/kubernetes/filesystem-layout.ts';
import type { KubernetesCluster } from '../../model/kubernetes/kubernetes-cluster.ts';
import { inUnits, type PressureCandidate, rankUnderPressure } from '../../snapshot/pressure-rank.ts';
import type { RankedNode } from '../../snapshot/snapshot.ts';
import { type Ladder, type LadderPod, ladderOf } from '../api/ladder.ts';
import { UsageError } from './usage-error.ts';

/** A pod as the API prints it, exact beyond 2^53; with usage in its own unit where that is not bytes. */
export type RankRow = Omit<LadderPod, 'usageBytes' | 'requestBytes' | 'overRequestBytes'> & {
  readonly usageBytes: Amount | null;
  readonly requestBytes: Amount | null;
  readonly overRequestBytes: Amount | null;
  readonly usageInodes?: Amount | null;
  readonly processes?: Amount | null;
};

export interface RankedLadder extends Omit<Ladder, 'pods'> {
  /** Only for other signals than memory, as is what follows. */
  readonly signal?: Signal;
  readonly imageFilesystem?: FilesystemLayout;
  readonly pods: readonly RankRow[];
}

export interface PressureChoice {
  readonly signal: Signal;
  readonly layout: 'auto' | FilesystemLayout;
}

/** The ladder of one node out of files, under any pressure. @throws UsageError where the filesystems must be told. */
export function pressureLadder(
  node: RankedNode,
  kubernetes: KubernetesCluster,
  { signal, layout }: PressureChoice,
): RankedLadder {
  const { resource } = SIGNALS[signal];
  const { name } = node.node;
  const isDisk = resource === 'ephemeral-storage' || resource === 'inodes';
  const base = resource === 'memory' ? ladderOf(node, 'now') : withoutMemory(ladderOf(node, 'now'), signal);
  if (!node.node.hasUsageData) return base;
  const chosen = isDisk ? layoutOf(name, kubernetes, layout) : 'single';
  const ranked = rankUnderPressure(kubernetes.resources.get(name) ?? [], { signal, layout: chosen });
  const distances = new Map(node.pods.map(({ pod, distanceBytes }) => [pod, distanceBytes]));
  return {
    ...base,
    ...(isDisk ? { imageFilesystem: chosen } : {}),
    ...(resource === 'ephemeral-storage' ? { availableBytes: availableBytes(name, kubernetes, signal) } : {}),
    pods: ranked.map(({ candidate, standing }) => ({
      rank: standing.rank ?? null,
      namespace: candidate.namespace,
      pod: candidate.name,
      group: standing.group,
      decidedBy: standing.decidedBy ?? null,
      tied: standing.tied,
      priority: candidate.priority,
      qosClass: candidate.pod.qosClass ?? null,
      ...amounts(candidate, resource),
      distanceBytes: resource === 'memory' ? distanceOf(candidate, distances) : null,
    })),
  };
}

function amounts({ usage, request }: PressureCandidate, resource: (typeof SIGNALS)[Signal]['resource']) {
  const used = usage === undefined ? null : inUnits(usage);
  if (resource === 'pids') {
    return { usageBytes: null, requestBytes: null, overRequestBytes: null, processes: used };
  }
  if (resource === 'inodes') {
    return { usageBytes: null, requestBytes: inUnits(request), overRequestBytes: null, usageInodes: used };
  }
  return {
    usageBytes: used,
    requestBytes: inUnits(request),
    overRequestBytes: usage === undefined ? null : inUnits(usage - request),
  };
}

/** Sums of doubles are exact only up to 2^53; beyond it a distance would be a guess. */
function distanceOf(
  { pod }: PressureCandidate,
  distances: ReadonlyMap<PressureCandidate['pod'], number | undefined>,
): number | null {
  const distance = distances.get(pod);
  return distance === undefined || !Number.isSafeInteger(Math.ceil(distance)) ? null : distance;
}

function withoutMemory(ladder: Ladder, signal: Signal): RankedLadder {
  return {
    ...ladder,
    signal,
    availableBytes: null,
    // The only threshold that is a setting is the one of memory.
    thresholdBytes: null,
    pods: ladder.pods.map((pod) => ({
      ...pod,
      usageBytes: null,
      requestBytes: null,
      overRequestBytes: null,
      distanceBytes: null,
    })),
  };
}

function layoutOf(
  node: string,
  { nodeStats }: KubernetesCluster,
  wanted: PressureChoice['layout'],
): FilesystemLayout {
  if (wanted !== 'auto') return wanted;
  const stats = nodeStats.get(node);
  const found = stats === undefined ? undefined : filesystemLayout(stats);
  if (found !== undefined) return found;
  throw new UsageError(
    `the summary of ${node} does not tell whether images have a filesystem of their own: give --image-filesystem single, dedicated or split`,
  );
}

function availableBytes(node: string, { nodeStats }: KubernetesCluster, signal: Signal): number | null {
  const { fs, runtime } = nodeStats.get(node) ?? {};
  const filesystem = signal.startsWith('nodefs')
    ? fs
    : signal.startsWith('imagefs')
      ? runtime?.imageFs
      : runtime?.containerFs;
  return filesystem?.availableBytes === undefined ? null : Number(filesystem.availableBytes);
}
