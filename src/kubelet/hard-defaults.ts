import { CURRENT_RULES, type KubeletRules } from './kubelet-version.ts';
import type { Signal } from './signals.ts';

/** `DefaultEvictionHard` on Linux (pkg/kubelet/eviction/defaults_linux.go) of the newest version. */
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
  rules: KubeletRules = CURRENT_RULES,
): HardSettings {
  const defaults = defaultsOf(rules);
  if (configured === undefined || mergeDefaults) {
    return { evictionHard: { ...defaults, ...configured }, droppedDefaults: [] };
  }
  return {
    evictionHard: configured,
    droppedDefaults: (Object.keys(defaults) as Signal[]).filter(
      (signal) => !Object.hasOwn(configured, signal),
    ),
  };
}

function defaultsOf({ hasImagefsInodesDefault }: KubeletRules): Partial<Record<Signal, string>> {
  if (hasImagefsInodesDefault) return DEFAULT_EVICTION_HARD;
  const { 'imagefs.inodesFree': _later, ...earlier } = DEFAULT_EVICTION_HARD;
  return earlier;
}
