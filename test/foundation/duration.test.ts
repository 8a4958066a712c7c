import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDurationMs } from '../../src/foundation/duration.ts';

describe('a Prometheus duration', () => {
  it.each([
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['7d', 604_800_000],
    ['1w', 604_800_000],
    ['1y', 31_536_000_000],
    ['250ms', 250],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each(['', '30', 's', '1m1h', '-5s', '1.5h', '5 s', '5S'])('%j is none', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (ms) => parseDurationMs(formatDuration(ms)) === ms),
    );
  });

  it('keeps days as days', () => {
    expect(formatDuration(10 * 86_400_000)).toBe('10d');
    expect(formatDuration(7 * 86_400_000)).toBe('1w');
  });
});
