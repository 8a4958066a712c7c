import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/**
 * The bytes of a file, or of standard input where it is named `-`. Not through /dev/stdin, which cannot be opened
 * where standard input is a socket, as under many programs that start others.
 */
export function readFileOrInput(file: string): Promise<Buffer> {
  return file === '-' ? buffer(process.stdin) : readFile(file);
}
