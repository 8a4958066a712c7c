import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLeak } from '../../src/review/leak-trend.ts';

const week = (bytesAt: (hour: number) => number): number[] =>
  Array.from({ length: 168 }, (_, i) => bytesAt(i));

describe('a leak', () => {
  test.each<[string, number[], number]>([
    ['is seen where memory grows all week', week((hour) => 1000 + hour * 50), 0],
    ['is seen through its restarts', week((hour) => 600 + (hour % 12) * 300), 13],
    ['is seen through holes', week((hour) => (hour % 7 === 0 ? Number.NaN : 1000 + hour * 50)), 0],
  ])('%s', (_what, hours, resets) => {
    expect(findLeak(hours)).toMatchObject({ resets });
  });

  test('has the growth of the stretches that grow', () => {
    expect(findLeak(week((hour) => 600 + (hour % 12) * 300))?.growthBytesPerHour).toBe(300);
  });

  test.each<[string, number[]]>([
    ['a flat line', week(() => 1000)],
    ['a day after day curve', week((hour) => 1000 + 400 * Math.sin((hour / 24) * 2 * Math.PI))],
    ['a spike every six hours', week((hour) => (hour % 6 === 0 ? 1000 : 240 + (hour % 5)))],
    ['one step up', week((hour) => (hour < 80 ? 500 : 1000))],
    ['a cache that fills within hours and stays', week((hour) => Math.min(1000, 200 + hour * 100))],
    ['slow growth that will not matter this week', week((hour) => 1000 + hour)],
    ['a morning', Array.from({ length: 12 }, (_, hour) => 100 + hour * 100)],
    ['a day without a restart', Array.from({ length: 30 }, (_, hour) => 100 + hour * 100)],
    ['nothing known', week(() => Number.NaN)],
  ])('is not seen in %s', (_what, hours) => {
    expect(findLeak(hours)).toBeUndefined();
  });

  test('is not seen in noise', () => {
    const noise = fc.array(fc.integer({ min: 800, max: 1000 }), { minLength: 168, maxLength: 168 });
    fc.assert(fc.property(noise, (hours) => findLeak(hours) === undefined));
  });
});
