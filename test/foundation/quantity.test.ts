import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatBytes, formatMebibyteDifference, formatMebibytes } from '../../src/foundation/byte-text.ts';
import { EvictrankError } from '../../src/foundation/errors.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityOfBytes,
  quantityToNumber,
  wholeValue,
} from '../../src/foundation/quantity.ts';
import { assertProperty } from '../property.ts';

describe('notations', () => {
  const CASES: readonly [text: string, value: number][] = [
    ['1Gi', 1_073_741_824],
    ['500M', 500_000_000],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['128974848', 128_974_848],
    ['0.5', 0.5],
    ['100m', 0.1],
    ['1.5Gi', 1_610_612_736],
    ['-1.5', -1.5],
    ['+2k', 2000],
    ['1n', 1e-9],
    ['1u', 1e-6],
    ['2Ti', 2_199_023_255_552],
    ['1P', 1e15],
  ];
  for (const [text, value] of CASES) {
    test(`${text} is ${value}`, () => {
      expect(quantityToNumber(parseQuantity(text))).toBe(value);
    });
  }

  test('equal values compare equal in every notation', () => {
    for (const text of ['1000Mi', '1048576000', '1024000Ki', '1048576k', '1048576e3', '1.048576G']) {
      expect(compareQuantities(parseQuantity(text), parseQuantity('1048576000'))).toBe(0);
    }
    expect(compareQuantities(parseQuantity('1G'), parseQuantity('1Gi'))).toBeLessThan(0);
    expect(compareQuantities(parseQuantity('1n'), parseQuantity('0'))).toBeGreaterThan(0);
  });

  test('sums are exact and take the notation of the first that is not zero', () => {
    expect(formatQuantity(addQuantities(parseQuantity('0.1'), parseQuantity('0.2')))).toBe('300m');
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Mi')))).toBe('1Mi');
  });
});

describe('what is not a quantity', () => {
  for (const text of ['', 'abc', '1GB', '1 Gi', '１Gi', '1.2.3', '1,5Gi', '0x10', '1e99999999999999999999']) {
    test(`${JSON.stringify(text)} is refused and named in the error`, () => {
      expect(() => parseQuantity(text)).toThrow(EvictrankError);
      expect(() => parseQuantity(text)).toThrow(expect.objectContaining({ input: text }));
    });
  }

  test('an absurd exponent is refused at once', () => {
    expect(() => parseQuantity('1e999999999')).toThrow("unable to parse quantity's suffix");
  });
});

describe('canonical text', () => {
  const CASES: readonly [quantity: Quantity, text: string][] = [
    [quantityOfBytes(0), '0'],
    [quantityOfBytes(1000), '1k'],
    [quantityOfBytes(1025), '1025'],
    [quantityOfBytes(1_476_395_008), '1408Mi'],
    [quantityOfBytes(-(2 ** 30)), '-1Gi'],
    [quantityOfBytes(2n ** 60n), '1Ei'],
    [quantityOfBytes(1024.5), '1024500m'],
    [parseQuantity('1000000000000000000000'), '1000E'],
    [parseQuantity('1000e3'), '1e6'],
    // Kubernetes keeps the text where the number is no multiple of 8.
    [parseQuantity('+4Mi'), '+4Mi'],
    [parseQuantity('+8Mi'), '8Mi'],
  ];
  for (const [quantity, text] of CASES) {
    test(`${quantity.nanos} billionths in ${quantity.format} are ${text}`, () => {
      expect(formatQuantity(quantity)).toBe(text);
    });
  }

  const arbitraryQuantity = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
      fc.option(fc.nat({ max: 999 }), { nil: undefined }),
      fc.constantFrom(
        '',
        'n',
        'u',
        'm',
        'k',
        'M',
        'G',
        'T',
        'P',
        'E',
        'Ki',
        'Mi',
        'Gi',
        'Ti',
        'e3',
        'E-2',
        'e5',
      ),
    )
    .map(([whole, fraction, suffix]) =>
      parseQuantity(`${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`),
    );

  test('reading back what was written gives the same value', () => {
    assertProperty(
      fc.property(arbitraryQuantity, (quantity) => {
        const again = parseQuantity(formatQuantity({ ...quantity, text: undefined }));
        expect(again.nanos).toBe(quantity.nanos);
      }),
      1000,
    );
  });

  test('the whole value is never nearer to zero, and less than one away', () => {
    assertProperty(
      fc.property(arbitraryQuantity, ({ nanos, format }) => {
        const rest = wholeValue({ nanos, format }) * 10n ** 9n - nanos;
        expect(nanos < 0n ? -rest : rest).toBeGreaterThanOrEqual(0n);
        expect(nanos < 0n ? -rest : rest).toBeLessThan(10n ** 9n);
      }),
      1000,
    );
  });
});

describe('bytes for people', () => {
  const CASES: readonly [bytes: number, text: string][] = [
    [0, '0'],
    [500, '500'],
    [1_476_395_008, '1408Mi'],
    [2 ** 30, '1Gi'],
    [100 * 2 ** 20, '100Mi'],
    [3_096_412_951, '2953Mi'],
    [105_635_000_000, '98.4Gi'],
    [-(84 * 2 ** 20), '-84Mi'],
    [15_000, '14.6Ki'],
    [2 ** 60 * 20, '20Ei'],
  ];
  for (const [bytes, text] of CASES) {
    test(`${bytes} bytes are shown as ${text}`, () => {
      expect(formatBytes(bytes)).toBe(text);
    });
  }
});

describe('the bytes of a table, all in Mi', () => {
  const mib = 2 ** 20;
  test.each([
    [0, '0'],
    [2048 * mib, '2048Mi'],
    [98.4 * 2 ** 30, '100762Mi'],
    [1408.4 * mib, '1408Mi'],
    [36.31 * mib, '36.3Mi'],
    [5.54 * mib, '5.5Mi'],
    [mib / 4, '0.25Mi'],
    [4096, '0.0039Mi'],
    [-448 * mib, '-448Mi'],
  ])('%d is %s', (bytes, text) => {
    expect(formatMebibytes(bytes)).toBe(text);
  });

  test('differences have a sign, unless there is none', () => {
    expect([524 * mib, -124 * mib, 0].map(formatMebibyteDifference)).toEqual(['+524Mi', '-124Mi', '0']);
  });
});
