import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

/**
 * The snapshot's part of /metrics, compressed once per refresh. `deflated` ends on a byte boundary and is not yet
 * finished, so that each scrape can add the service's own metrics without packing the rest again.
 */
export interface PackedText {
  readonly deflated: Uint8Array<ArrayBuffer>;
  /** CRC-32 of the unpacked text. */
  readonly crc: number;
  /** Length of the unpacked text in bytes. */
  readonly sizeBytes: number;
}

/** Level 1: the text is so repetitive that higher levels take several times as long for a few percent. */
const deflateLevel = 1;

/** Compresses the pieces one after another, each while the next is made; never holds the whole text. */
export async function packText(pieces: Iterable<string>): Promise<PackedText> {
  const deflate = createDeflateRaw({ level: deflateLevel, finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => {
    deflate.on('end', resolve);
    deflate.on('error', reject);
  });
  let crc = 0;
  let sizeBytes = 0;
  let packing: Promise<void> | undefined;
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    crc = crc32(bytes, crc);
    sizeBytes += bytes.length;
    await packing;
    packing = new Promise<void>((resolve) => deflate.write(bytes, () => resolve()));
  }
  await packing;
  deflate.end();
  await done;
  return { deflated: concatenate(chunks), crc, sizeBytes };
}

/** Into memory of its own, so that it can be handed to another thread: Buffer.concat may lend from a shared pool. */
function concatenate(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** RFC 1952: magic, deflate, no flags, no time, no hints, unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** One gzip file of the packed text followed by `tail`, as buffers to be sent one after another. */
export function gzipWithTail(packed: PackedText, tail: string): readonly Uint8Array[] {
  const bytes = Buffer.from(tail);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes, packed.crc), 0);
  // The format keeps the size modulo 2^32.
  trailer.writeUInt32LE((packed.sizeBytes + bytes.length) % 2 ** 32, 4);
  return [gzipHeader, packed.deflated, deflateRawSync(bytes, { level: deflateLevel }), trailer];
}
