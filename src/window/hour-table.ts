import type { Hour } from './hour.ts';

/** Rows per block: big enough to be few, small enough that one more costs little. */
const rowsPerBlock = 1024;

/**
 * Hourly maxima of many series: one flat row of numbers each, NaN = no data. Objects per hour would cost ten times the
 * memory. The slot of an hour is its number modulo the row length, the same for all rows.
 */
export interface HourTable {
  /** Hours a row holds. */
  readonly hoursKept: number;
  readonly newestHour: Hour;
  /** Rows in use. */
  readonly rowCount: number;
  /** Makes `hour` the newest, forward or back, and forgets what no longer fits. */
  moveTo(hour: Hour): void;
  /** A row without data. Numbers of released rows are used again. */
  allocate(): number;
  release(row: number): void;
  /** Takes a maximum into an hour; one outside the hours kept is dropped. */
  raise(row: number, hour: Hour, bytes: number): void;
  /** Takes all hours of one row into another. */
  merge(from: number, into: number): void;
  /** NaN where nothing is known. */
  at(row: number, hour: Hour): number;
  /** The row's hours as they are stored; valid until the next change. */
  slots(row: number): Float64Array;
  /** Where an hour stands in `slots`. */
  slotOf(hour: Hour): number;
}

/** @param hoursKept length of a row, the running hour included. */
export function createHourTable(hoursKept: number): HourTable {
  const blocks: Float64Array[] = [];
  const free: number[] = [];
  let rowLimit = 0;
  let newestHour = 0;

  const slotOf = (hour: Hour): number => ((hour % hoursKept) + hoursKept) % hoursKept;
  const isKept = (hour: Hour): boolean => hour <= newestHour && hour > newestHour - hoursKept;

  function slots(row: number): Float64Array {
    const block = blocks[Math.floor(row / rowsPerBlock)];
    if (block === undefined) throw new RangeError(`there is no row ${row}`);
    const start = (row % rowsPerBlock) * hoursKept;
    return block.subarray(start, start + hoursKept);
  }

  function blockAndIndex(row: number, hour: Hour): [Float64Array, number] {
    const block = blocks[Math.floor(row / rowsPerBlock)];
    if (block === undefined) throw new RangeError(`there is no row ${row}`);
    return [block, (row % rowsPerBlock) * hoursKept + slotOf(hour)];
  }

  function clearHour(hour: Hour): void {
    const slot = slotOf(hour);
    for (const block of blocks) {
      for (let i = slot; i < block.length; i += hoursKept) block[i] = Number.NaN;
    }
  }

  return {
    hoursKept,
    get newestHour() {
      return newestHour;
    },
    get rowCount() {
      return rowLimit - free.length;
    },
    moveTo(hour) {
      // The slots of the hours that come in are those of the hours that fall out, at either end.
      const distance = Math.min(Math.abs(hour - newestHour), hoursKept);
      const firstIn = hour > newestHour ? hour - distance + 1 : hour - hoursKept + 1;
      for (let i = 0; i < distance; i++) clearHour(firstIn + i);
      newestHour = hour;
    },
    allocate() {
      const reused = free.pop();
      if (reused !== undefined) return reused;
      if (rowLimit % rowsPerBlock === 0) {
        blocks.push(new Float64Array(rowsPerBlock * hoursKept).fill(Number.NaN));
      }
      return rowLimit++;
    },
    release(row) {
      slots(row).fill(Number.NaN);
      free.push(row);
    },
    raise(row, hour, bytes) {
      if (!isKept(hour) || Number.isNaN(bytes)) return;
      const [block, index] = blockAndIndex(row, hour);
      const before = block[index];
      // Written so that NaN, which compares false with everything, is replaced.
      if (before === undefined || !(before >= bytes)) block[index] = bytes;
    },
    merge(from, into) {
      const source = slots(from);
      const target = slots(into);
      for (let i = 0; i < hoursKept; i++) {
        const bytes = source[i] ?? Number.NaN;
        if (!Number.isNaN(bytes) && !((target[i] ?? Number.NaN) >= bytes)) target[i] = bytes;
      }
    },
    at(row, hour) {
      if (!isKept(hour)) return Number.NaN;
      const [block, index] = blockAndIndex(row, hour);
      return block[index] ?? Number.NaN;
    },
    slots,
    slotOf,
  };
}
