import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findWriteTarget, writeFileAtomically } from '../foundation/atomic-file.ts';
import { EvictrankError } from '../foundation/errors.ts';
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

/** The window can be kept in a regular file alone: it is replaced, read back, and moved out of the way where it is damaged. */
export class SpecialWindowFileError extends EvictrankError {
  override readonly name = 'SpecialWindowFileError';
}

/** Left behind by a process that was killed while it saved; the next save replaces it. */
function temporaryName(file: string): string {
  return `${file}.tmp`;
}

/** @throws SpecialWindowFileError, and whatever the file system says */
async function regularFile(file: string): Promise<string> {
  const { path, isSpecial } = await findWriteTarget(file);
  if (isSpecial) throw new SpecialWindowFileError(`${file} is a device, a pipe or a socket, no regular file`);
  return path;
}

/**
 * @throws SpecialWindowFileError, and whatever the file system says, e.g. of a full disk; the file saved before is then
 * untouched.
 */
export async function saveWindowFile(file: string, state: WindowState, fingerprint: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const target = await regularFile(file);
  const temporary = temporaryName(target);
  await writeFileAtomically(target, encodeWindow(state, fingerprint), { temporary, mode: 0o600 });
}

/** @throws SpecialWindowFileError, and whatever the file system says, except that the file is not there. */
export async function loadWindowFile(
  named: string,
  expected: { readonly fingerprint: string; readonly hoursKept: number; readonly nowMs: number },
): Promise<LoadedWindow> {
  const file = await regularFile(named);
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
