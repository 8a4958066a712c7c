/** Whom one pass of the eviction manager evicts, and what it says of it (pkg/kubelet/eviction/eviction_manager.go). */
import { quantityOfBytes } from '../foundation/quantity.ts';
import { writeEvictionMessage } from './eviction-message.ts';
import { type ManagedPod, toCandidate } from './managed-pod.ts';
import type { ManagerConfig } from './manager-config.ts';
import { POLICIES } from './policies.ts';
import { rankCandidates } from './rank.ts';
import { SIGNALS, type Signal, type StarvedResource } from './signals.ts';
import { describePassedLimit } from './storage-limits.ts';
import { isHardThreshold, type SignalObservation, type Threshold, thresholdQuantity } from './threshold.ts';

export interface PassEviction {
  readonly pod: ManagedPod;
  readonly gracePeriodSeconds: number;
  readonly message: string;
  /** Of the event; undefined where a limit of the pod's own was passed. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
}

export interface TimedObservation extends SignalObservation {
  /** When the statistics were taken; undefined = not told, taken as new. */
  readonly takenAtMs: number | undefined;
}

export type Observations = ReadonlyMap<Signal, TimedObservation>;

/** What a pass has to go by. */
export interface EvictionScene {
  readonly config: ManagerConfig;
  readonly observations: Observations;
  /** Neither Succeeded nor Failed. */
  readonly activePods: readonly ManagedPod[];
}

/** All pods that passed a limit of their own go at once. */
export function evictOverLimit({
  activePods,
  config: { layout, rules },
}: EvictionScene): readonly PassEviction[] {
  return activePods.flatMap((pod) => {
    const message = pod.isProtected ? undefined : describePassedLimit(pod, layout);
    if (message === undefined) return [];
    const gracePeriodSeconds = rules.immediateGracePeriodSeconds;
    return [{ pod, gracePeriodSeconds, message, annotations: undefined }];
  });
}

/**
 * For node pressure one pod at most goes: the first in rank that is not protected. `fresh` are all thresholds that
 * drive this pass, `threshold` the one to be reclaimed.
 */
export function evictOne(
  { config, observations, activePods }: EvictionScene,
  threshold: Threshold,
  fresh: readonly Threshold[],
): PassEviction | undefined {
  const { resource } = SIGNALS[threshold.signal];
  const candidates = activePods.map((pod) => toCandidate(pod, threshold.signal, config.layout));
  const first = rankCandidates(candidates, POLICIES[resource])[0]?.candidate;
  if (first === undefined || first.isProtected) return undefined;
  const { pod } = first;
  return {
    pod,
    gracePeriodSeconds: gracePeriod(pod, threshold, config),
    ...writeEvictionMessage({
      style: config.rules.messageStyle,
      resource,
      podName: pod.name,
      spec: pod.spec,
      stats: toMessageStats(pod),
      threshold: describeThreshold(resource, fresh, observations),
    }),
  };
}

function gracePeriod(
  { terminationGracePeriodSeconds = Number.POSITIVE_INFINITY }: ManagedPod,
  threshold: Threshold,
  { maxPodGracePeriodSeconds, rules }: ManagerConfig,
): number {
  if (isHardThreshold(threshold)) return rules.immediateGracePeriodSeconds;
  return Math.min(maxPodGracePeriodSeconds, terminationGracePeriodSeconds);
}

/** The first met threshold of the resource, which need not be the one that is reclaimed (`getThresholdMetInfo`). */
function describeThreshold(
  resource: StarvedResource,
  fresh: readonly Threshold[],
  observations: Observations,
) {
  for (const { signal, value } of fresh) {
    const observed = observations.get(signal);
    if (SIGNALS[signal].resource === resource && observed !== undefined) {
      return {
        quantity: thresholdQuantity(value, observed.capacity),
        available: quantityOfBytes(observed.available),
      };
    }
  }
  return undefined;
}

function toMessageStats({ stats }: ManagedPod) {
  return (
    stats && {
      memoryWorkingSetBytes: stats.memoryWorkingSetBytes,
      containers: stats.containers.map(({ name, memoryWorkingSetBytes, rootfs, logs }) => ({
        name,
        memoryWorkingSetBytes,
        rootfsUsedBytes: rootfs?.usedBytes,
        logsUsedBytes: logs?.usedBytes,
      })),
    }
  );
}
