import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs, hourOf, lastEndedHour, splitByHour, windowAt } from '../../src/window/hour.ts';
import { assertProperty } from '../property.ts';

const noon = 483_000 * hourMs;

describe('an hour', () => {
  it.each([
    ['a sample on the hour is the last of the hour that ends there', noon, 483_000],
    ['a sample just after the hour is the first of the next', noon + 1, 483_001],
    ['a sample just before the hour is of the hour that ends there', noon - 1, 483_000],
  ])('%s', (_, timeMs, hour) => {
    expect(hourOf(timeMs)).toBe(hour);
  });

  it.each([
    ['on the hour that hour has ended', noon, 483_000],
    ['before it, only the one before has', noon - 1, 482_999],
    ['after it, it still is the last', noon + 1, 483_000],
  ])('%s', (_, timeMs, hour) => {
    expect(lastEndedHour(timeMs)).toBe(hour);
  });
});

describe('a window', () => {
  it('that ends on the hour has exactly its hours', () => {
    expect(windowAt(noon, 168)).toEqual({ first: 482_833, last: 483_000 });
  });

  it('that ends within an hour has its hours and the running one', () => {
    expect(windowAt(noon + 1, 168)).toEqual({ first: 482_833, last: 483_001 });
  });
});

describe('a stretch of time cut at the hours', () => {
  it('has no piece where it is empty', () => {
    expect(splitByHour(noon, noon)).toEqual([]);
    expect(splitByHour(noon + 1, noon)).toEqual([]);
  });

  it('has pieces that join up, each within its hour', () => {
    assertProperty(
      fc.property(
        fc.integer({ min: 1, max: 5 * hourMs }),
        fc.integer({ min: 1, max: 5 * hourMs }),
        (offset, length) => {
          const start = noon + offset;
          const pieces = splitByHour(start, start + length);
          expect(pieces[0]?.startMs).toBe(start);
          expect(pieces.at(-1)?.endMs).toBe(start + length);
          for (const [i, { hour, startMs, endMs }] of pieces.entries()) {
            expect(hourOf(startMs + 1)).toBe(hour);
            expect(hourOf(endMs)).toBe(hour);
            expect(endMs).toBeGreaterThan(startMs);
            if (i > 0) expect(pieces[i - 1]?.endMs).toBe(startMs);
          }
        },
      ),
    );
  });
});
