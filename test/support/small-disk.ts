import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A real filesystem of 64 KiB that one process sees, and nobody else. */
export interface SmallDisk {
  readonly folder: string;
  /** Starts a program that sees it: `startTestService({ within })`. */
  readonly within: readonly string[];
  /** Where others find its files while the process runs. */
  seenFrom(pid: number): string;
}

const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /tmp'], { stdio: 'ignore' });

/** Why no filesystem can be mounted here; empty where one can. For a test's title. */
export const missingMounts =
  canMount.status === 0 ? '' : ' (skipped: no user and mount namespaces here, see unshare(1))';

/** @param prepare shell commands run in the folder before the program starts. */
export function smallDisk(state: 'full' | 'read-only'): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const options = state === 'full' ? 'size=64k' : 'size=64k,ro';
  const fill = state === 'full' ? 'cat /dev/zero > filler 2>/dev/null;' : '';
  const script = `mount -t tmpfs -o ${options} tmpfs "$1" && (cd "$1"; ${fill}) ; shift; exec "$@"`;
  return {
    folder,
    within: ['unshare', '-rm', 'sh', '-c', script.replace('(cd "$1"; )', 'true'), 'sh', folder],
    seenFrom: (pid) => join('/proc', String(pid), 'root', folder),
  };
}
