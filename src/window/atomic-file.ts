import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Left behind by a process that was killed while it wrote; the next write replaces it. */
export function temporaryName(file: string): string {
  return `${file}.tmp`;
}

/**
 * Writes a file so that, killed at any moment, either the old or the new one is there in full: written beside it,
 * brought to the disk, then renamed, and the rename brought to the disk as well (rename(2), fsync(2)).
 * @param parts each is written before the next is asked for.
 * @throws whatever the file system says; the old file is then untouched.
 */
export async function writeFileAtomically(file: string, parts: Iterable<Uint8Array>): Promise<void> {
  const folder = dirname(file);
  const temporary = temporaryName(file);
  await mkdir(folder, { recursive: true });
  try {
    const handle = await open(temporary, 'w', 0o600);
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
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
