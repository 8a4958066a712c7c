import { describe, expect, test } from 'vitest';
import { parseGoDuration } from '../../src/foundation/go-duration.ts';
import { parseGoFloat32 } from '../../src/foundation/go-float.ts';

describe('durations as Go reads them', () => {
  const READ: readonly [text: string, ms: number][] = [
    ['0', 0],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['-1.5h', -5_400_000],
    ['+.5m', 30_000],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['2h0.25s7ns', 7_200_250.000007],
  ];
  for (const [text, ms] of READ) {
    test(`${text} is ${ms} ms`, () => {
      expect(parseGoDuration(text)).toBe(ms);
    });
  }

  const REFUSED: readonly [text: string, message: string][] = [
    ['', 'time: invalid duration ""'],
    ['abc', 'time: invalid duration "abc"'],
    ['.s', 'time: invalid duration ".s"'],
    ['30', 'time: missing unit in duration "30"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1constructor', 'time: unknown unit "constructor" in duration "1constructor"'],
    ['9999999h', 'time: invalid duration "9999999h"'],
  ];
  for (const [text, message] of REFUSED) {
    test(`${JSON.stringify(text)} is refused`, () => {
      expect(() => parseGoDuration(text)).toThrow(message);
    });
  }
});

describe('floats as Go reads them', () => {
  const READ: readonly [text: string, value: number][] = [
    ['10', 10],
    ['.5', 0.5],
    ['5.', 5],
    ['1e1', 10],
    ['0.1', 0.10000000149011612],
    ['0x1p-2', 0.25],
    ['-0X1.8P1', -3],
    ['+Inf', Number.POSITIVE_INFINITY],
    ['-infinity', Number.NEGATIVE_INFINITY],
    ['NaN', Number.NaN],
  ];
  for (const [text, value] of READ) {
    test(`${text} is ${value}`, () => {
      expect(parseGoFloat32(text)).toBe(value);
    });
  }

  for (const text of ['', '.', 'abc', '1_0', '0x10', '0xp1', '1e', ' 1']) {
    test(`${JSON.stringify(text)} is refused`, () => {
      expect(() => parseGoFloat32(text)).toThrow(/^strconv\.ParseFloat: parsing .*: invalid syntax$/);
    });
  }

  test('what a float32 cannot hold is out of range', () => {
    expect(() => parseGoFloat32('1e39')).toThrow('strconv.ParseFloat: parsing "1e39": value out of range');
  });
});
