import { describe, expect, it } from 'vitest';
import { chartOf } from '../../src/web/pod/peak-scale.ts';

const mebibyte = 2 ** 20;

function peaksOf(peaks: readonly (number | null)[], requestMi: number | null) {
  return {
    namespace: 'default',
    pod: 'api',
    requestBytes: requestMi === null ? null : requestMi * mebibyte,
    hours: peaks.map((peak, index) => ({
      endsAt: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
      peakBytes: peak === null ? null : peak * mebibyte,
    })),
  };
}

describe('the chart of hourly peaks', () => {
  it('counts the hours that are known and those above the request', () => {
    const chart = chartOf(peaksOf([null, 100, 300, 200], 200));
    expect(chart?.words).toContain('Highest: 300Mi');
    expect(chart?.words).toContain('3 of 4 hours have data, 1 of them above the request of 200Mi.');
    expect(chart?.bars.map(({ peakBytes }) => peakBytes)).toEqual(
      [null, 100, 300, 200].map((mi) => mi && mi * mebibyte),
    );
  });

  it('takes an hour at the request for one within it', () => {
    expect(chartOf(peaksOf([200], 200))?.words).toContain('none of them above');
  });

  it('says nothing of a request that is not known', () => {
    expect(chartOf(peaksOf([200], null))?.words).not.toContain('request');
  });

  it.each([
    [[100], 2000],
    [[7000], 10],
    [[1], 0],
  ])('has room for peaks of %s MiB and a request of %s MiB', (peaks, requestMi) => {
    const topBytes = chartOf(peaksOf(peaks, requestMi))?.topBytes ?? 0;
    expect(topBytes).toBeGreaterThanOrEqual(Math.max(...peaks, requestMi) * mebibyte);
    expect(topBytes % (2 * mebibyte)).toBe(0);
  });

  it('is not drawn without any hour', () => {
    expect(chartOf(peaksOf([null, null], 100))).toBeUndefined();
  });
});
