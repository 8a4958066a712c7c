/**
 * Pods that pass a limit of their own are evicted whatever the node has free, all in one pass
 * (`localStorageEviction` in pkg/kubelet/eviction/eviction_manager.go).
 */
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityOfBytes,
} from '../foundation/quantity.ts';
import { type Amount, addAmounts } from './amount.ts';
import { type FilesystemLayout, isLocalEphemeralVolume, podDiskUsage } from './disk-usage.ts';
import type { ManagedPod, ManagedPodStats } from './managed-pod.ts';

const RESOURCE = 'ephemeral-storage';

/** The kubelet's message about the first limit a pod has passed; undefined where it has passed none. */
export function describePassedLimit(pod: ManagedPod, layout: FilesystemLayout): string | undefined {
  const { stats } = pod;
  if (stats === undefined) return undefined;
  return (
    passedEmptyDir(pod, stats) ?? passedPodLimit(pod, stats, layout) ?? passedContainer(pod, stats, layout)
  );
}

function passedEmptyDir({ volumes }: ManagedPod, stats: ManagedPodStats): string | undefined {
  for (const { name, emptyDir } of volumes) {
    const limit = emptyDir?.sizeLimit;
    const used = stats.volumes.find((volume) => volume.name === name)?.usedBytes;
    if (limit !== undefined && limit.nanos > 0n && exceeds(used ?? 0, limit)) {
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${formatQuantity(limit)}". `;
    }
  }
  return undefined;
}

/** The sum of the limits of those containers that have one. */
function passedPodLimit(
  { spec, volumes }: ManagedPod,
  stats: ManagedPodStats,
  layout: FilesystemLayout,
): string | undefined {
  const limits = spec.containers
    .map(({ limits }) => limits?.[RESOURCE])
    .filter((limit) => limit !== undefined);
  if (limits.length === 0) return undefined;
  const limit = limits.reduce(addQuantities);
  const used =
    stats.ephemeralStorageUsedBytes ??
    podDiskUsage(stats, volumes.filter(isLocalEphemeralVolume), {
      stats: layout === 'dedicated' ? ['logs', 'localVolumes'] : ['rootfs', 'logs', 'localVolumes'],
      resource: RESOURCE,
    });
  return exceeds(used, limit)
    ? `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `
    : undefined;
}

function passedContainer(
  { spec }: ManagedPod,
  stats: ManagedPodStats,
  layout: FilesystemLayout,
): string | undefined {
  for (const { name, rootfs, logs } of stats.containers) {
    const limit = spec.containers.find((container) => container.name === name)?.limits?.[RESOURCE];
    const rootfsBytes = layout === 'dedicated' ? 0 : (rootfs?.usedBytes ?? 0);
    const used = addAmounts(logs?.usedBytes ?? 0, rootfsBytes);
    if (limit !== undefined && limit.nanos !== 0n && exceeds(used, limit)) {
      return `Container ${name} exceeded its local ephemeral storage limit "${formatQuantity(limit)}". `;
    }
  }
  return undefined;
}

function exceeds(usedBytes: Amount, limit: Quantity): boolean {
  return compareQuantities(quantityOfBytes(usedBytes), limit) > 0;
}
