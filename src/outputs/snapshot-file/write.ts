import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { findWriteTarget, writeFileAtomically } from '../../foundation/atomic-file.ts';
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
 * Writes all of it or nothing; what is no regular file, such as a pipe, takes it as it comes. Packed where the name ends
 * in .gz.
 * @throws SnapshotWriteError
 */
export async function writeSnapshotFile(file: string, text: string): Promise<void> {
  const bytes = file.endsWith('.gz') ? await promisify(gzip)(text) : Buffer.from(text);
  try {
    const { path, isSpecial } = await findWriteTarget(file);
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    await (isSpecial ? writeFile(path, bytes) : writeFileAtomically(path, [bytes], { temporary }));
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new SnapshotWriteError(`${file}: cannot be written (${code})`, { cause: error });
  }
}
