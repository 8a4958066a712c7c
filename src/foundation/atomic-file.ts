import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** What a path names. */
export interface WriteTarget {
  /** Behind symbolic links: a link stays, and what it points at is written. */
  readonly path: string;
  /** A device, a pipe or a socket. It takes what is written to it; a rename would put a plain file in its place. */
  readonly isSpecial: boolean;
}

/** @throws whatever the file system says, except that nothing is there yet. */
export async function findWriteTarget(file: string): Promise<WriteTarget> {
  try {
    const found = await stat(file);
    if (found.isFile()) return { path: await realpath(file), isSpecial: false };
    return { path: file, isSpecial: !found.isDirectory() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const link = await readlink(file).catch(() => undefined);
  return link === undefined
    ? { path: file, isSpecial: false }
    : findWriteTarget(resolve(dirname(file), link));
}

/**
 * Writes a file so that, killed at any moment, either the old or the new one is there in full: written beside it,
 * brought to the disk, then renamed, and the rename brought to the disk as well (rename(2), fsync(2)).
 * @param file a regular file or none, no link to one (`findWriteTarget`).
 * @param parts each is written before the next is asked for.
 * @param temporary beside the file; replaced where a process that was killed left it behind.
 * @throws whatever the file system says; the old file is then untouched.
 */
export async function writeFileAtomically(
  file: string,
  parts: Iterable<Uint8Array>,
  { temporary, mode }: { readonly temporary: string; readonly mode?: number },
): Promise<void> {
  try {
    const handle = await open(temporary, 'w', mode);
    try {
      for (const part of parts) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  const handle = await open(dirname(file), 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
