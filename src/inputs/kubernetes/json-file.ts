import { stat } from 'node:fs/promises';
import { parse as parseLossless } from 'lossless-json';
import { readFileOrInput } from '../../foundation/file-or-input.ts';
import { InputFileError } from './file-problem.ts';

/** JavaScript texts end at 512 MiB; what one file becomes in memory is several times its size. */
const maxFileBytes = 400 * 2 ** 20;

/**
 * Reads one JSON file; `-` is standard input. Whole numbers above 2^53 come out as bigints.
 * @throws InputFileError in one line: not there, too large, not JSON.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = decode(await readBytes(file));
  try {
    return hasLargeNumber(text) ? parseLossless(text, undefined, parseNumber) : JSON.parse(text);
  } catch (error) {
    const reason = text.trim() === '' ? 'it is empty' : oneLine((error as Error).message);
    throw new InputFileError(file, `is not JSON (${reason}); write it with kubectl … -o json`, error);
  }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    // Asked for first, to fail fast; of a pipe it is 0, and only what has been read shows its size.
    if (file !== '-') requireSize(file, (await stat(file)).size);
    const bytes = await readFileOrInput(file);
    requireSize(file, bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof InputFileError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new InputFileError(file, `cannot be read (${code})`, error);
  }
}

function requireSize(file: string, sizeBytes: number): void {
  if (sizeBytes <= maxFileBytes) return;
  throw new InputFileError(
    file,
    `has ${Math.round(sizeBytes / 2 ** 20)}Mi, more than the ${maxFileBytes / 2 ** 20}Mi one file may have; ` +
      'write one file per node (kubectl get pods -A --field-selector spec.nodeName=NODE -o json) and give them all',
  );
}

/** UTF-8, or UTF-16 where a byte order mark says so: that is what `>` writes in Windows PowerShell. */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}

/** A number that a double may not hold exactly: 17 digits or more, or 16 from 9 on (2^53 is 9007199254740992). */
function hasLargeNumber(text: string): boolean {
  return /[\s:,[-](?:9\d{15}|\d{17,})/.test(text);
}

function parseNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 120);
}
