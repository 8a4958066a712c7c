import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastObservedHour, summarizeHours } from '../../src/window/hour-summary.ts';
import { createHourTable } from '../../src/window/hour-table.ts';
import { assertProperty } from '../property.ts';

const start = 1_000;

describe('a table of hourly maxima', () => {
  it('forgets an hour that falls out, and what its slot held', () => {
    const table = createHourTable(3);
    table.moveTo(start);
    const row = table.allocate();
    table.raise(row, start - 2, 7);
    table.moveTo(start + 1);
    expect(table.at(row, start - 2)).toBeNaN();
    expect(table.at(row, start + 1)).toBeNaN();
  });

  it('drops a maximum of an hour it does not keep', () => {
    const table = createHourTable(3);
    table.moveTo(start);
    const row = table.allocate();
    for (const hour of [start + 1, start - 3]) table.raise(row, hour, 7);
    expect([...table.slots(row)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it('keeps a peak of zero apart from no data', () => {
    const table = createHourTable(3);
    table.moveTo(start);
    const row = table.allocate();
    table.raise(row, start, 0);
    expect(summarizeHours(table, row, { first: start - 2, last: start })).toEqual({
      peakBytes: 0,
      observedHours: 1,
      hoursAbove: 0,
    });
  });

  it('does not count an hour whose peak equals the threshold as above it', () => {
    const table = createHourTable(3);
    table.moveTo(start);
    const row = table.allocate();
    table.raise(row, start - 1, 100);
    table.raise(row, start, 101);
    const summary = summarizeHours(table, row, { first: start - 2, last: start, thresholdBytes: 100 });
    expect(summary).toEqual({ peakBytes: 101, observedHours: 2, hoursAbove: 1 });
  });

  it('gives a released row back without data', () => {
    const table = createHourTable(3);
    table.moveTo(start);
    const row = table.allocate();
    table.raise(row, start, 5);
    table.release(row);
    const again = table.allocate();
    expect(again).toBe(row);
    expect(lastObservedHour(table, again)).toBeUndefined();
    expect(table.rowCount).toBe(1);
  });

  it('refuses a row that was never given out', () => {
    expect(() => createHourTable(3).slots(0)).toThrow(RangeError);
  });
});

/** The same, kept in the most obvious way. */
function createModel(hoursKept: number) {
  const rows = new Map<number, Map<number, number>>();
  let newest = 0;
  const isKept = (hour: number) => hour <= newest && hour > newest - hoursKept;
  const raise = (row: number, hour: number, bytes: number) => {
    if (!isKept(hour)) return;
    const hours = rows.get(row);
    hours?.set(hour, Math.max(hours.get(hour) ?? bytes, bytes));
  };
  return {
    rows,
    moveTo(hour: number) {
      newest = hour;
      for (const hours of rows.values()) {
        for (const kept of hours.keys()) if (!isKept(kept)) hours.delete(kept);
      }
    },
    raise,
    merge(from: number, into: number) {
      for (const [hour, bytes] of rows.get(from) ?? []) raise(into, hour, bytes);
    },
  };
}

type Step =
  | { kind: 'move'; by: number }
  | { kind: 'raise'; row: number; back: number; bytes: number }
  | { kind: 'allocate' }
  | { kind: 'release'; row: number }
  | { kind: 'merge'; row: number; into: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move'), by: fc.integer({ min: -9, max: 9 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('raise'),
      row: fc.nat(20),
      back: fc.integer({ min: -1, max: 6 }),
      bytes: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e15, noNaN: true })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('allocate') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release'), row: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('merge'), row: fc.nat(20), into: fc.nat(20) }),
  },
);

it('the table answers as a plain model does, however rows come and go and the clock jumps', () => {
  assertProperty(
    fc.property(fc.array(step, { maxLength: 80 }), fc.constantFrom(1, 2, 5), (steps, hoursKept) => {
      const table = createHourTable(hoursKept);
      const model = createModel(hoursKept);
      let newest = start;
      table.moveTo(newest);
      model.moveTo(newest);
      const rowAt = (index: number) => [...model.rows.keys()][index % Math.max(1, model.rows.size)];
      for (const action of steps) {
        if (action.kind === 'allocate') {
          model.rows.set(table.allocate(), new Map());
          continue;
        }
        if (action.kind === 'move') {
          newest += action.by;
          table.moveTo(newest);
          model.moveTo(newest);
          continue;
        }
        const row = rowAt(action.row);
        if (row === undefined) continue;
        if (action.kind === 'raise') {
          table.raise(row, newest - action.back, action.bytes);
          model.raise(row, newest - action.back, action.bytes);
        } else if (action.kind === 'release') {
          table.release(row);
          model.rows.delete(row);
        } else {
          const into = rowAt(action.into) ?? row;
          table.merge(row, into);
          model.merge(row, into);
        }
      }
      expect(table.rowCount).toBe(model.rows.size);
      for (const [row, hours] of model.rows) {
        for (let hour = newest - hoursKept - 1; hour <= newest + 1; hour++) {
          expect(table.at(row, hour)).toBe(hours.get(hour) ?? Number.NaN);
        }
        const values = [...hours.values()];
        const summary = summarizeHours(table, row, {
          first: newest - hoursKept - 3,
          last: newest + 3,
          thresholdBytes: 1e14,
        });
        expect(summary).toEqual({
          peakBytes: values.length === 0 ? undefined : Math.max(...values),
          observedHours: values.length,
          hoursAbove: values.filter((bytes) => bytes > 1e14).length,
        });
        const last = hours.size === 0 ? undefined : Math.max(...hours.keys());
        expect(lastObservedHour(table, row)).toBe(last);
      }
    }),
    500,
  );
});
