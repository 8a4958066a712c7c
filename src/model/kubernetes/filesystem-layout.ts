import type { FilesystemStats, NodeStats } from '../../inputs/kubernetes/stats-summary.ts';
import type { FilesystemLayout } from '../../kubelet/disk-usage.ts';

/**
 * Which filesystems a node has, as far as its summary tells: it names no devices, so two are taken for one where
 * their size in bytes and inodes is the same. undefined where sizes are missing.
 */
export function filesystemLayout({ fs, runtime }: NodeStats): FilesystemLayout | undefined {
  const { imageFs, containerFs } = runtime ?? {};
  const isImageOnNode = isSameFilesystem(fs, imageFs);
  if (isImageOnNode === undefined) return undefined;
  if (isImageOnNode) return 'single';
  // Only images are elsewhere: writable layers stay on the node's own filesystem (since 1.29).
  return isSameFilesystem(fs, containerFs) === true ? 'split' : 'dedicated';
}

function isSameFilesystem(a: FilesystemStats, b: FilesystemStats): boolean | undefined {
  if (a?.capacityBytes === undefined || b?.capacityBytes === undefined) return undefined;
  return a.capacityBytes === b.capacityBytes && a.inodes === b.inodes;
}
