import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarizeHourlyPeaks } from '../../src/review/hourly-peaks.ts';
import {
  type Abstention,
  MINIMUM_REQUEST_BYTES,
  recommendRequest,
  type SizingFacts,
} from '../../src/review/recommendation.ts';

const mi = (count: number): number => count * 1_048_576;
const hoursOf = (count: number, bytes = mi(100)): number[] => Array<number>(count).fill(bytes);

function factsOf(facts: Partial<SizingFacts> & { readonly hours?: readonly number[] } = {}): SizingFacts {
  const { hours = hoursOf(168), ...rest } = facts;
  return {
    kind: 'Deployment',
    isStatic: false,
    replicas: 4,
    seenReplicas: 4,
    hourly: summarizeHourlyPeaks(hours, mi(200)),
    margin: 0.15,
    ...rest,
  };
}

describe('a recommended request', () => {
  test.each<[string, Parameters<typeof factsOf>[0], number, string | undefined]>([
    ['is the peak with its margin', {}, mi(115), undefined],
    ['has twice the margin after an OOM kill', { oomKills: 1 }, mi(130), undefined],
    ['is rounded up to a whole MiB', { hours: hoursOf(24, mi(100) + 1) }, mi(116), undefined],
    ['says that the smallest request binds', { hours: hoursOf(24, mi(2)) }, mi(16), 'minimum'],
    ['says that init containers bind', { initNeedBytes: mi(300) }, mi(300), 'init_container'],
    ['does not mind a smaller init container', { initNeedBytes: mi(50) }, mi(115), undefined],
    ['is made where one of four replicas is not seen', { seenReplicas: 3 }, mi(115), undefined],
    [
      'is made for a CronJob in spite of its pauses',
      { kind: 'CronJob', hours: pausing() },
      mi(115),
      undefined,
    ],
  ])('%s', (_what, facts, bytes, floor) => {
    expect(recommendRequest(factsOf(facts))).toMatchObject({ requestBytes: bytes, floor });
  });

  test.each<[string, Parameters<typeof factsOf>[0], Abstention]>([
    ['static pods', { isStatic: true }, 'static_pods'],
    ['a workload without data', { hours: [Number.NaN] }, 'no_data'],
    ['a workload that is an hour short of a day', { hours: hoursOf(23) }, 'short_history'],
    ['a workload with holes', { hours: pausing() }, 'gaps'],
    ['a workload of which half is not seen', { seenReplicas: 2 }, 'partial_metrics'],
    ['a workload scaled on memory', { hasMemoryAutoscaler: true }, 'memory_autoscaler'],
    ['a leak', { isLeaking: true }, 'leak'],
  ])('is not made for %s', (_what, facts, abstention) => {
    expect(recommendRequest(factsOf(facts))).toEqual({ requestBytes: undefined, abstention });
  });

  test('is never below the peak, nor below its floors, and grows with the peak', () => {
    const bytes = fc.integer({ min: 1, max: 2 ** 40 });
    fc.assert(
      fc.property(bytes, bytes, fc.double({ min: 0, max: 2, noNaN: true }), (a, b, margin) => {
        const request = (peak: number): number =>
          recommendRequest(factsOf({ hours: hoursOf(168, peak), margin })).requestBytes ?? Number.NaN;
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(request(low)).toBeGreaterThanOrEqual(Math.max(low, MINIMUM_REQUEST_BYTES));
        expect(request(high)).toBeGreaterThanOrEqual(request(low));
      }),
    );
  });
});

describe('hourly peaks', () => {
  test('are summed up by nearest rank, holes left out', () => {
    const hours = [Number.NaN, ...Array.from({ length: 100 }, (_, i) => i + 1), Number.NaN, 200, Number.NaN];
    expect(summarizeHourlyPeaks(hours, 100)).toEqual({
      peakBytes: 200,
      medianBytes: 51,
      p95Bytes: 96,
      p99Bytes: 100,
      observedHours: 101,
      spanHours: 102,
      timeOverRequestRatio: 1 / 101,
    });
  });

  test('have percentiles in order, each a peak that was seen', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1 }), { minLength: 1, maxLength: 170 }), (hours) => {
        const summary = summarizeHourlyPeaks(hours, undefined);
        if (summary === undefined) throw new Error('no summary');
        const { medianBytes, p95Bytes, p99Bytes, peakBytes } = summary;
        const all = [medianBytes, p95Bytes, p99Bytes, peakBytes];
        expect(all.toSorted((a, b) => a - b)).toEqual(all);
        for (const one of all) expect(hours).toContain(one);
      }),
    );
  });
});

/** Every third hour only. */
function pausing(): number[] {
  return Array.from({ length: 168 }, (_, i) => (i % 3 === 0 ? mi(100) : Number.NaN));
}
