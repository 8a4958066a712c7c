/** What the kubelet watches, one row per eviction signal (pkg/kubelet/eviction/api/types.go, helpers.go). */

/** The name in messages, events and annotations; also the resource whose request counts. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

export type NodeCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

interface SignalFacts {
  readonly resource: StarvedResource;
  readonly condition: NodeCondition;
  /** False: a statement about it is accepted, but has no operator and so is never met. */
  readonly isConfigurable: boolean;
}

const DISK: SignalFacts = { resource: 'ephemeral-storage', condition: 'DiskPressure', isConfigurable: true };
const INODES: SignalFacts = { resource: 'inodes', condition: 'DiskPressure', isConfigurable: true };

export const SIGNALS = {
  'memory.available': { resource: 'memory', condition: 'MemoryPressure', isConfigurable: true },
  // Copied from the hard memory.available threshold where node allocatable is enforced for pods.
  'allocatableMemory.available': { resource: 'memory', condition: 'MemoryPressure', isConfigurable: false },
  'nodefs.available': DISK,
  'nodefs.inodesFree': INODES,
  'imagefs.available': DISK,
  'imagefs.inodesFree': INODES,
  // Since 1.29. Its thresholds are taken from nodefs or imagefs, whatever is configured.
  'containerfs.available': DISK,
  'containerfs.inodesFree': INODES,
  'pid.available': { resource: 'pids', condition: 'PIDPressure', isConfigurable: true },
} as const satisfies Record<string, SignalFacts>;

export type Signal = keyof typeof SIGNALS;

export function isSignal(name: string): name is Signal {
  return Object.hasOwn(SIGNALS, name);
}
