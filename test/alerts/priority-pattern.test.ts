import fc from 'fast-check';
import { expect, test } from 'vitest';
import { integersFrom, protectedPriorities } from '../../src/alerts/priority-pattern.ts';

const priority = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: -2000, max: 20_000 }),
);

/** As Prometheus matches: the whole value. */
const matches = (pattern: string, value: number) => new RegExp(`^(?:${pattern})$`).test(String(value));

test('the pattern matches exactly the integers from the minimum on', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), priority, (minimum, value) => {
      for (const each of [value, minimum - 1, minimum, minimum + 1]) {
        expect(matches(integersFrom(minimum), each)).toBe(each >= minimum);
      }
    }),
  );
});

test('the protected priorities are those of system pods', () => {
  fc.assert(
    fc.property(priority, (value) => {
      expect(matches(protectedPriorities, value)).toBe(value >= 2_000_000_000);
    }),
  );
});
