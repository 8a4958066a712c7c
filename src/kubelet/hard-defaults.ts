import type { Signal } from './signals.ts';

/** `DefaultEvictionHard` on Linux (pkg/kubelet/eviction/defaults_linux.go); 1.20 has no imagefs.inodesFree. */
export const DEFAULT_EVICTION_HARD = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
} as const satisfies Partial<Record<Signal, string>>;

export interface HardSettings {
  readonly evictionHard: Readonly<Record<string, string>>;
  /** Defaults that are off because something else was set: on such a node nothing happens when these run out. */
  readonly droppedDefaults: readonly Signal[];
}

/**
 * The hard thresholds that hold. Setting any one drops all other defaults, unless `mergeDefaultEvictionSettings` is
 * on (pkg/kubelet/apis/config/v1beta1/defaults.go). undefined = not set at all: the defaults.
 */
export function resolveEvictionHard(
  configured: Readonly<Record<string, string>> | undefined,
  mergeDefaults: boolean,
): HardSettings {
  if (configured === undefined || mergeDefaults) {
    return { evictionHard: { ...DEFAULT_EVICTION_HARD, ...configured }, droppedDefaults: [] };
  }
  const defaults = Object.keys(DEFAULT_EVICTION_HARD) as (keyof typeof DEFAULT_EVICTION_HARD)[];
  return {
    evictionHard: configured,
    droppedDefaults: defaults.filter((signal) => !Object.hasOwn(configured, signal)),
  };
}
