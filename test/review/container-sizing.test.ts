import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantityOfBytes, quantityToNumber } from '../../src/foundation/quantity.ts';
import { podRequest } from '../../src/kubelet/pod-request.ts';
import type { PodSpec } from '../../src/kubelet/pod-spec.ts';
import { computeQosClass } from '../../src/kubelet/qos.ts';
import { applySizing, sizeContainers } from '../../src/review/container-sizing.ts';

const mi = (count: number): number => count * 1_048_576;
const memory = (bytes: number) => ({ memory: quantityOfBytes(bytes) });

const container = fc.record({
  requestMi: fc.integer({ min: 1, max: 4096 }),
  limitFactor: fc.constantFrom(undefined, 1, 2),
  peakMi: fc.integer({ min: 1, max: 4096 }),
  isSidecar: fc.boolean(),
});

const pod = fc
  .record({
    containers: fc.array(container, { minLength: 1, maxLength: 4 }),
    overheadMi: fc.constantFrom(undefined, 160),
    needMi: fc.integer({ min: 200, max: 20_000 }),
  })
  .map(({ containers, overheadMi, needMi }) => {
    const all = containers.map(({ requestMi, limitFactor, isSidecar }, i) => ({
      name: `c${i}`,
      // The first is a main container: a pod has one.
      isSidecar: isSidecar && i > 0,
      requests: memory(mi(requestMi)),
      ...(limitFactor === undefined ? {} : { limits: memory(mi(requestMi * limitFactor)) }),
    }));
    const spec: PodSpec = {
      containers: all.filter(({ isSidecar }) => !isSidecar),
      initContainers: all.filter(({ isSidecar }) => isSidecar),
      ...(overheadMi === undefined ? {} : { overhead: memory(mi(overheadMi)) }),
    };
    return {
      spec,
      hours: new Map(containers.map(({ peakMi }, i) => [`c${i}`, [mi(peakMi) / 2, mi(peakMi)]])),
      need: { neededBytes: mi(needMi), margin: 0.15, observedHours: 2 },
    };
  });

describe('the containers of a pod', () => {
  test('together request what the pod needs, and no more than their rounding above it where no limit moves', () => {
    fc.assert(
      fc.property(pod, ({ spec, hours, need }) => {
        const sizing = sizeContainers(spec, hours, need);
        const request = quantityToNumber(podRequest(applySizing(spec, sizing), 'memory'));
        expect(request).toBeGreaterThanOrEqual(need.neededBytes);
        if (sizing.every(({ recommendedLimitBytes }) => recommendedLimitBytes === undefined)) {
          expect(request).toBeLessThanOrEqual(need.neededBytes + mi(hours.size));
        }
      }),
    );
  });

  test('get no limit below their own peak and margin, however their peaks fall together', () => {
    fc.assert(
      fc.property(pod, ({ spec, hours, need }) => {
        for (const { peakBytes = 0, recommendedLimitBytes } of sizeContainers(spec, hours, need)) {
          if (recommendedLimitBytes === undefined) continue;
          expect(recommendedLimitBytes).toBeGreaterThanOrEqual(peakBytes * (1 + need.margin));
        }
      }),
    );
  });

  test('never request more than their limit, and keep the class of the pod', () => {
    fc.assert(
      fc.property(pod, ({ spec, hours, need }) => {
        const sized = applySizing(spec, sizeContainers(spec, hours, need));
        for (const { requests, limits } of [...sized.containers, ...sized.initContainers]) {
          const limit =
            limits?.memory === undefined ? Number.POSITIVE_INFINITY : quantityToNumber(limits.memory);
          expect(requests?.memory && quantityToNumber(requests.memory)).toBeLessThanOrEqual(limit);
        }
        expect(computeQosClass(sized)).toBe(computeQosClass(spec));
      }),
    );
  });

  test('share by request where a peak is not known', () => {
    const spec: PodSpec = {
      containers: [
        { name: 'a', requests: memory(mi(300)) },
        { name: 'b', requests: memory(mi(100)) },
      ],
      initContainers: [],
    };
    const sizing = sizeContainers(spec, new Map([['a', [mi(10)]]]), {
      neededBytes: mi(200),
      margin: 0.15,
      observedHours: 1,
    });
    expect(sizing.map(({ recommendedRequestBytes }) => recommendedRequestBytes)).toEqual([mi(150), mi(50)]);
  });

  describe('of a pod rolled out a moment ago, which needed more before', () => {
    const need = { neededBytes: mi(800), margin: 0.15, observedHours: 168 };
    const guaranteed = (...names: string[]): PodSpec => ({
      containers: names.map((name) => ({ name, requests: memory(mi(512)), limits: memory(mi(512)) })),
      initContainers: [],
    });
    const hoursOf = (count: number) =>
      new Map(['a', 'b'].map((name, i) => [name, Array<number>(count).fill(mi(100 * (i + 1)))]));

    test('keep their limits, as many as there are, however little they use since', () => {
      const sizing = sizeContainers(guaranteed('a', 'b'), hoursOf(3), need);
      expect(sizing).toMatchObject(
        Array(2).fill({
          recommendedLimitBytes: mi(512),
          recommendedRequestBytes: mi(512),
          isLimitHeld: true,
        }),
      );
    });

    test('get lower limits once they are known for as long', () => {
      const sizing = sizeContainers(guaranteed('a', 'b'), hoursOf(160), need);
      expect(sizing.map(({ isLimitHeld }) => isLimitHeld)).toEqual([false, false]);
      expect(sizing[0]?.recommendedLimitBytes).toBeLessThan(mi(300));
    });

    test('get what the pod needs where there is one alone: its peaks are those of the pod', () => {
      const [only] = sizeContainers(guaranteed('a'), hoursOf(3), { ...need, neededBytes: mi(300) });
      expect(only).toMatchObject({ recommendedLimitBytes: mi(300), isLimitHeld: false });
    });
  });
});
