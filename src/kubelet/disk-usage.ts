/** What counts as a pod's disk usage for one signal (pkg/kubelet/eviction/helpers.go: `podDiskUsage`, `buildSignalToRankFunc`). */
import type { Quantity } from '../foundation/quantity.ts';
import { type Amount, addAmounts } from './amount.ts';
import type { Signal } from './signals.ts';

/** rootfs = the containers' writable layers; local volumes see `isLocalVolume`. */
export type FilesystemStat = 'rootfs' | 'logs' | 'localVolumes';

export type DiskSignal = Extract<Signal, `${'nodefs' | 'imagefs' | 'containerfs'}.${string}`>;

/**
 * Which filesystems a node has: `single` = one for all; `dedicated` = images and writable layers on one of their own;
 * `split` = only images on one of their own (since 1.29).
 */
export type FilesystemLayout = 'single' | 'dedicated' | 'split';

const ALL: readonly FilesystemStat[] = ['rootfs', 'logs', 'localVolumes'];

const MEASURED: Readonly<
  Record<FilesystemLayout, Record<'nodefs' | 'imagefs' | 'containerfs', readonly FilesystemStat[]>>
> = {
  single: { nodefs: ALL, imagefs: ALL, containerfs: ALL },
  dedicated: { nodefs: ['logs', 'localVolumes'], imagefs: ['rootfs'], containerfs: ['rootfs'] },
  split: { nodefs: ALL, imagefs: [], containerfs: ALL },
};

export function measuredStats(signal: DiskSignal, layout: FilesystemLayout): readonly FilesystemStat[] {
  const filesystem = signal.startsWith('nodefs')
    ? 'nodefs'
    : signal.startsWith('imagefs')
      ? 'imagefs'
      : 'containerfs';
  return MEASURED[layout][filesystem];
}

/** As in the Summary API; an absent number counts as 0. */
export interface FilesystemUsage {
  readonly usedBytes?: Amount | undefined;
  readonly inodesUsed?: Amount | undefined;
}

export interface PodDiskStats {
  readonly containers: readonly {
    readonly name: string;
    readonly rootfs?: FilesystemUsage | undefined;
    readonly logs?: FilesystemUsage | undefined;
  }[];
  readonly volumes: readonly (FilesystemUsage & { readonly name: string })[];
}

/** A volume of the spec, as far as its source matters. */
export interface VolumeSpec {
  readonly name: string;
  readonly hostPath?: object | undefined;
  readonly configMap?: object | undefined;
  readonly gitRepo?: object | undefined;
  readonly emptyDir?: EmptyDirSource | undefined;
}

export interface EmptyDirSource {
  readonly medium?: string | undefined;
  readonly sizeLimit?: Quantity | undefined;
}

/** Counted in the ranking: on the node's own disk, whether or not it goes with the pod (`localVolumeNames`). */
export function isLocalVolume(volume: VolumeSpec): boolean {
  return volume.hostPath !== undefined || isLocalEphemeralVolume(volume);
}

/** Goes with the pod: not memory, and neither secret, projected and downwardAPI (tmpfs) nor claims (pkg/volume/util/util.go). */
export function isLocalEphemeralVolume({ configMap, gitRepo, emptyDir }: VolumeSpec): boolean {
  return (
    configMap !== undefined ||
    gitRepo !== undefined ||
    (emptyDir !== undefined && emptyDir.medium !== 'Memory')
  );
}

/**
 * A pod's usage in bytes or inodes. All container stats count, even of containers that are gone; volume stats only
 * where the spec still has a local volume of that name.
 */
export function podDiskUsage(
  stats: PodDiskStats,
  volumes: readonly VolumeSpec[],
  measure: { readonly stats: readonly FilesystemStat[]; readonly resource: 'ephemeral-storage' | 'inodes' },
): Amount {
  const number = measure.resource === 'inodes' ? 'inodesUsed' : 'usedBytes';
  const counted: (FilesystemUsage | undefined)[] = [];
  for (const container of stats.containers) {
    if (measure.stats.includes('rootfs')) counted.push(container.rootfs);
    if (measure.stats.includes('logs')) counted.push(container.logs);
  }
  if (measure.stats.includes('localVolumes')) {
    for (const volume of volumes.filter(isLocalVolume)) {
      counted.push(stats.volumes.find(({ name }) => name === volume.name));
    }
  }
  return counted.reduce<Amount>((sum, usage) => addAmounts(sum, usage?.[number] ?? 0), 0);
}
