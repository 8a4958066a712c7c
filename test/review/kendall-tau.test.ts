import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kendallTau } from '../../src/review/kendall-tau.ts';

/** By its definition, pair by pair. */
function pairByPair(values: readonly number[]): number {
  const signs = values.flatMap((later, i) => values.slice(0, i).map((earlier) => Math.sign(later - earlier)));
  return signs.reduce((sum, sign) => sum + sign, 0) / signs.length;
}

test('is what its definition says, ties included', () => {
  const values = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 60 });
  fc.assert(
    fc.property(values, (given) => {
      expect(kendallTau(given)).toBeCloseTo(pairByPair(given), 10);
    }),
  );
});

test.each([
  ['1 where all rise', [1, 2, 3, 4], 1],
  ['-1 where all fall', [4, 3, 2, 1], -1],
  ['0 where all are the same', [7, 7, 7], 0],
])('is %s', (_what, values, tau) => {
  expect(kendallTau(values)).toBe(tau);
});
