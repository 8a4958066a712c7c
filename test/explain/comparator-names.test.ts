import { expect, test } from 'vitest';
import { comparatorNames, groupNames } from '../../src/explain/comparator-names.ts';
import { sizesApart } from '../../src/explain/wording.ts';

test('no group is called what a comparator is called, nor does either name contain the other', () => {
  for (const group of Object.values(groupNames)) {
    for (const comparator of Object.values(comparatorNames)) {
      expect(group.includes(comparator) || comparator.includes(group), `${group}, ${comparator}`).toBe(false);
    }
  }
});

const mib = 2 ** 20;
test.each([
  ['far apart', 100 * mib, 200 * mib, ['100Mi', '200Mi']],
  ['equal', 100.4 * mib, -100.4 * mib, ['100Mi', '100Mi']],
  ['alike in whole Mi', 130.87 * mib, 131.79 * mib, ['131Mi', '132Mi']],
  ['alike but for a decimal', 265.27 * mib, 265.78 * mib, ['265Mi', '266Mi']],
  ['alike but for two', 265.31 * mib, 265.33 * mib, ['265.31Mi', '265.33Mi']],
  ['a byte apart', 100 * mib - 1, 100 * mib, ['104857599 bytes', '104857600 bytes']],
])('sizes that are %s are told apart', (_name, a, b, texts) => {
  expect(sizesApart(a, b)).toEqual(texts);
});
