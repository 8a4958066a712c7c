import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { EvictrankError } from '../foundation/errors.ts';
import { createCoverage } from './coverage.ts';
import { createHourTable } from './hour-table.ts';
import { createPeakRows } from './peak-rows.ts';
import type { WindowState } from './window-state.ts';

/** A saved window that must not be trusted; the message says why. */
export class SavedWindowError extends EvictrankError {
  override readonly name = 'SavedWindowError';
}

/**
 * The file: a line of text, the length of the header, the header, the names of the rows (both JSON), the rows as they
 * are in memory, and the CRC-32 of all before it. Raw, not packed: a large window must be written within the few
 * seconds a process has to stop. Raised whenever the meaning of anything changes.
 */
const formatVersion = 1;
const firstLine = Buffer.from('evictrank window\n');
const maxHeaderBytes = 65_536;
const rowsPerWrite = 1024;
const bytesPerNumber = 8;

const headerSchema = z.object({
  version: z.literal(formatVersion),
  /** Numbers are written in the order of the machine. */
  byteOrder: z.literal(endianness()),
  fingerprint: z.string(),
  hoursKept: z.int().positive(),
  newestHour: z.int().nonnegative(),
  covered: z.array(z.int()),
  progress: z.object({ askedUntilMs: z.number(), steadySinceMs: z.number() }).optional(),
  podRows: z.int().nonnegative(),
  workloadRows: z.int().nonnegative(),
  namesBytes: z.int().nonnegative(),
});

const namesSchema = z.object({
  pods: z.array(z.tuple([z.string(), z.int().min(-2)])),
  workloads: z.array(z.string()),
});

/**
 * The bytes of the file, part by part. A part is valid only until the next is asked for, and the state must not change
 * until the last.
 * @param fingerprint tells windows of different settings apart.
 */
export function* encodeWindow(state: WindowState, fingerprint: string): Generator<Uint8Array> {
  let checksum = 0;
  for (const part of encodeParts(state, fingerprint)) {
    checksum = crc32(part, checksum);
    yield part;
  }
  const end = Buffer.alloc(4);
  end.writeUInt32LE(checksum);
  yield end;
}

function* encodeParts({ rows, coverage, progress }: WindowState, fingerprint: string): Generator<Uint8Array> {
  const { table } = rows;
  const names = Buffer.from(JSON.stringify(rows.names()));
  const header = Buffer.from(
    JSON.stringify({
      version: formatVersion,
      byteOrder: endianness(),
      fingerprint,
      hoursKept: table.hoursKept,
      newestHour: table.newestHour,
      covered: coverage.covered(),
      progress,
      podRows: rows.pods.size,
      workloadRows: rows.workloads.size,
      namesBytes: names.length,
    } satisfies z.input<typeof headerSchema>),
  );
  const headerLength = Buffer.alloc(4);
  headerLength.writeUInt32LE(header.length);
  yield Buffer.concat([firstLine, headerLength, header, names]);

  const buffer = new Float64Array(rowsPerWrite * table.hoursKept);
  let filled = 0;
  for (const row of [...rows.pods.values(), ...rows.workloads.values()]) {
    buffer.set(table.slots(row), filled * table.hoursKept);
    if (++filled === rowsPerWrite) {
      yield new Uint8Array(buffer.buffer);
      filled = 0;
    }
  }
  if (filled > 0) yield new Uint8Array(buffer.buffer, 0, filled * table.hoursKept * bytesPerNumber);
}

/** Where the bytes come from: fills the target from the current position on, and says how much was there. */
export interface ByteSource {
  readonly sizeBytes: number;
  read(target: Uint8Array): Promise<number>;
}

/** @throws SavedWindowError where anything about the bytes is not as it was written, or they are of other settings. */
export async function decodeWindow(
  source: ByteSource,
  expected: { readonly fingerprint: string; readonly hoursKept: number },
): Promise<WindowState> {
  let checksum = 0;
  const read = async <Target extends Uint8Array>(target: Target): Promise<Target> => {
    if ((await source.read(target)) !== target.length) throw new SavedWindowError('it is cut off');
    checksum = crc32(target, checksum);
    return target;
  };

  const start = await read(Buffer.alloc(firstLine.length + 4));
  if (!start.subarray(0, firstLine.length).equals(firstLine)) {
    throw new SavedWindowError('it does not begin as a saved window does');
  }
  const headerBytes = start.readUInt32LE(firstLine.length);
  if (headerBytes > maxHeaderBytes) throw new SavedWindowError('its header is damaged');
  const header = parse(headerSchema, await read(Buffer.alloc(headerBytes)), 'header');
  if (header.fingerprint !== expected.fingerprint || header.hoursKept !== expected.hoursKept) {
    throw new SavedWindowError('it was saved with other settings');
  }
  const { podRows, workloadRows, namesBytes, hoursKept } = header;
  const rowBytes = (podRows + workloadRows) * hoursKept * bytesPerNumber;
  if (source.sizeBytes !== start.length + headerBytes + namesBytes + rowBytes + 4) {
    throw new SavedWindowError('its size is not the one it was written with');
  }

  const nameBytes = await read(Buffer.alloc(namesBytes));
  const table = createHourTable(hoursKept);
  table.moveTo(header.newestHour);
  for (let row = 0; row < podRows + workloadRows; row++) table.allocate();
  const buffer = new Float64Array(rowsPerWrite * hoursKept);
  for (let row = 0; row < podRows + workloadRows; row += rowsPerWrite) {
    const count = Math.min(rowsPerWrite, podRows + workloadRows - row);
    await read(new Uint8Array(buffer.buffer, 0, count * hoursKept * bytesPerNumber));
    for (let i = 0; i < count; i++) {
      table.slots(row + i).set(buffer.subarray(i * hoursKept, (i + 1) * hoursKept));
    }
  }
  const computed = checksum;
  if ((await read(Buffer.alloc(4))).readUInt32LE() !== computed) {
    throw new SavedWindowError('its checksum does not match its content');
  }
  const names = parse(namesSchema, nameBytes, 'list of names');
  const isWhole = names.pods.length === podRows && names.workloads.length === workloadRows;
  if (!isWhole || names.pods.some(([, owner]) => owner >= workloadRows)) {
    throw new SavedWindowError('its names do not match its rows');
  }
  return {
    rows: createPeakRows(table, names),
    coverage: createCoverage(header.covered),
    progress: header.progress,
  };
}

function parse<Output>(schema: z.ZodType<Output>, bytes: Buffer, what: string): Output {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new SavedWindowError(`its ${what} is damaged`, { cause });
  }
  const version = z.object({ version: z.number() }).safeParse(content);
  if (version.success && version.data.version !== formatVersion) {
    throw new SavedWindowError(`it is of format version ${version.data.version}, not ${formatVersion}`);
  }
  const parsed = schema.safeParse(content);
  if (!parsed.success) throw new SavedWindowError(`its ${what} is damaged`, { cause: parsed.error });
  return parsed.data;
}
