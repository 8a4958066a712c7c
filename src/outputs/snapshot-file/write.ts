import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { EvictrankError } from '../../foundation/errors.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { formatName, formatVersion } from './schema.ts';

export class SnapshotWriteError extends EvictrankError {
  override readonly name = 'SnapshotWriteError';
}

/** The text of a snapshot file. */
export function serializeSnapshot(snapshot: Snapshot, writtenBy: string): string {
  const document = { format: formatName, version: formatVersion, writtenBy, snapshot };
  return `${JSON.stringify(document, (_key, value: unknown) => value ?? null)}\n`;
}

/**
 * Writes all of it or nothing: into a file beside it, which takes its name once it is on disk. Packed where the name
 * ends in .gz.
 * @throws SnapshotWriteError
 */
export async function writeSnapshotFile(file: string, text: string): Promise<void> {
  const bytes = file.endsWith('.gz') ? await promisify(gzip)(text) : Buffer.from(text);
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new SnapshotWriteError(`${file}: cannot be written (${code})`, { cause: error });
  }
}
