import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { temporaryName, writeFileAtomically } from './atomic-file.ts';
import { type ByteSource, decodeWindow, encodeWindow, SavedWindowError } from './saved-window.ts';
import type { WindowState } from './window-state.ts';

/** What a start found on disk. */
export type LoadedWindow =
  | { readonly kind: 'absent' }
  | { readonly kind: 'loaded'; readonly state: WindowState }
  /** Not to be trusted, and moved out of the way; a person may want to look at it. */
  | { readonly kind: 'set_aside'; readonly reason: string; readonly movedTo: string };

/** Set-aside files kept, so that a disk cannot fill up with them. */
const damagedFilesKept = 2;

/** @throws whatever the file system says, e.g. of a full disk; the file saved before is then untouched. */
export async function saveWindowFile(file: string, state: WindowState, fingerprint: string): Promise<void> {
  await writeFileAtomically(file, encodeWindow(state, fingerprint));
}

/** @throws whatever the file system says, except that the file is not there. */
export async function loadWindowFile(
  file: string,
  expected: { readonly fingerprint: string; readonly hoursKept: number; readonly nowMs: number },
): Promise<LoadedWindow> {
  await rm(temporaryName(file), { force: true });
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'absent' };
    throw error;
  }
  try {
    return { kind: 'loaded', state: await decodeWindow(await bytesOf(handle), expected) };
  } catch (error) {
    if (!(error instanceof SavedWindowError)) throw error;
    return { kind: 'set_aside', reason: error.message, movedTo: await setAside(file, expected.nowMs) };
  } finally {
    await handle.close();
  }
}

async function bytesOf(handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat();
  return {
    sizeBytes: size,
    async read(target) {
      let filled = 0;
      while (filled < target.length) {
        const { bytesRead } = await handle.read(target, filled, target.length - filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
  };
}

async function setAside(file: string, nowMs: number): Promise<string> {
  const prefix = `${basename(file)}.damaged-`;
  // Sorts by time, and has no character that a file system forbids.
  const movedTo = join(dirname(file), prefix + new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-'));
  await rename(file, movedTo);
  const damaged = (await readdir(dirname(file))).filter((name) => name.startsWith(prefix)).sort();
  for (const name of damaged.slice(0, -damagedFilesKept)) {
    await rm(join(dirname(file), name), { force: true });
  }
  return movedTo;
}
