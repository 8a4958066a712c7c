import type { FilesystemLayout } from '../../kubelet/disk-usage.ts';
import { SIGNALS, type Signal } from '../../kubelet/signals.ts';

/** Short names of the signals most asked for; the kubelet's own names work as well. */
const shortNames: Readonly<Record<string, Signal>> = {
  memory: 'memory.available',
  disk: 'nodefs.available',
  pid: 'pid.available',
};

export const signalNames: readonly string[] = [...Object.keys(shortNames), ...Object.keys(SIGNALS)];

export function signalOf(name: string): Signal {
  return shortNames[name] ?? (name as Signal);
}

export const layoutNames: readonly ('auto' | FilesystemLayout)[] = ['auto', 'single', 'dedicated', 'split'];
