import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { EvictrankError } from '../../foundation/errors.ts';
import { readFileOrInput } from '../../foundation/file-or-input.ts';
import { pathText } from '../../inputs/kubernetes/file-problem.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { documentHead, formatVersion, snapshotDocument } from './schema.ts';

export class SnapshotReadError extends EvictrankError {
  override readonly name = 'SnapshotReadError';
}

/** Unpacked size from which a JavaScript text cannot hold it. */
const maxUnpackedBytes = 500 * 2 ** 20;

/** @throws SnapshotReadError naming the file and, where its content is wrong, the place. */
export async function readSnapshotFile(file: string): Promise<Snapshot> {
  return parseSnapshot(await readText(file), file);
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFileOrInput(file);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isPacked ? await promisify(gunzip)(bytes, { maxOutputLength: maxUnpackedBytes }) : bytes;
    return plain.toString('utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new SnapshotReadError(`${file}: cannot be read (${code})`, { cause });
  }
}

function parseSnapshot(text: string, file: string): Snapshot {
  const content = parseJson(text, file);
  const head = documentHead.safeParse(content);
  if (!head.success) {
    throw new SnapshotReadError(`${file}: is not a snapshot`, {
      remedy: 'write one with evictrank snapshot; files of kubectl are given with --pods and --summary',
    });
  }
  if (head.data.version !== formatVersion) {
    throw new SnapshotReadError(
      `${file}: has format version ${head.data.version}; this evictrank reads version ${formatVersion}`,
      { remedy: 'use the evictrank that wrote it, or write it anew' },
    );
  }
  const parsed = snapshotDocument.safeParse(content);
  if (parsed.success) return Object.freeze(parsed.data.snapshot);
  const [issue] = parsed.error.issues;
  throw new SnapshotReadError(
    `${file}: ${pathText(issue?.path ?? [])}: ${issue?.message ?? 'cannot be read'}`,
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SnapshotReadError(`${file}: is not JSON, or was cut off`, { cause });
  }
}
