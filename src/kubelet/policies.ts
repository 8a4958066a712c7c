/** Which criteria decide under which pressure, first difference wins (the `rank…Pressure` functions of pkg/kubelet/eviction/helpers.go). */
import { type Criterion, exceedsRequest, exceedsZero, noStats, overRequest, priority } from './criteria.ts';
import type { StarvedResource } from './signals.ts';

export type Policy = readonly Criterion[];

export const memoryPolicy: Policy = [noStats, exceedsRequest, priority, overRequest];

/** Candidates carry bytes of one filesystem and the ephemeral-storage request. */
export const diskPolicy: Policy = [noStats, exceedsRequest, priority, overRequest];

/**
 * Candidates carry inodes as usage but the ephemeral-storage request in bytes as request: upstream subtracts the
 * one from the other, and so a pod that requests storage goes late.
 */
export const inodesPolicy: Policy = [noStats, exceedsZero, priority, overRequest];

/** Candidates carry processes, and request 0, for none can be requested: no pod exceeds, and all are `within_request`. */
export const pidPolicy: Policy = [priority, noStats, overRequest];

/** The policy for what the node runs low on. */
export const POLICIES: Readonly<Record<StarvedResource, Policy>> = {
  memory: memoryPolicy,
  'ephemeral-storage': diskPolicy,
  inodes: inodesPolicy,
  pids: pidPolicy,
};
