import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHourlyWindow } from '../../src/window/hourly-window.ts';
import { clientFor } from '../prometheus/settings.ts';
import { plainScope as scope } from '../support/plain-scope.ts';
import { startStandIn } from './stand-in-prometheus.ts';
import { cgroupOf, hourMs, minuteMs, podOf, refreshAt } from './window-case.ts';

const startMs = 483_000 * hourMs;
const pods = [podOf('db-0'), podOf('db-1')];

const samples = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: -6 * 60, max: 16 * 60 }).map((minute) => minute * minuteMs + 1),
      // Where hours meet.
      fc
        .tuple(fc.integer({ min: -6, max: 16 }), fc.integer({ min: -1, max: 1 }))
        .map(([h, ms]) => h * hourMs + ms),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((offsets) => offsets.toSorted((a, b) => a - b).map((offset) => startMs + offset))
  .chain((times) =>
    fc
      .array(fc.integer({ min: 0, max: 1_000 }), { minLength: times.length, maxLength: times.length })
      .map((values) => times.map((timeMs, i): [number, number] => [timeMs, values[i] ?? 0])),
  );

const jumpyRefreshes = fc.array(
  fc.record({
    advanceMs: fc.oneof(
      { weight: 5, arbitrary: fc.constant(minuteMs) },
      { weight: 5, arbitrary: fc.integer({ min: 5 * minuteMs, max: 11 * minuteMs }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 * minuteMs }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 * hourMs }) },
      { weight: 1, arbitrary: fc.constant(hourMs) },
    ),
    skewMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -5 * hourMs, max: 5 * hourMs }) },
      { weight: 1, arbitrary: fc.integer({ min: -9 * minuteMs, max: 9 * minuteMs }) },
    ),
  }),
  { minLength: 1, maxLength: 60 },
);

/** One refresh after another, for hours. */
const steadyRefreshes = fc
  .tuple(fc.integer({ min: 2 * minuteMs, max: 9 * minuteMs }), fc.integer({ min: 40, max: 100 }))
  .map(([advanceMs, count]) => Array.from({ length: count }, () => ({ advanceMs, skewMs: 0 })));

const refreshes = fc.oneof(
  jumpyRefreshes,
  steadyRefreshes,
  fc.tuple(jumpyRefreshes, steadyRefreshes).map(([jumpy, steady]) => [...jumpy, ...steady]),
);

it.each([
  ['Prometheus 2, whose ranges are closed', false],
  ['Prometheus 3, whose ranges are open on the left', true],
])(
  'whenever refreshes come and however the clock is set, the window is what %s, would answer',
  async (_, leftOpen) => {
    const standIn = await startStandIn([], { leftOpen });
    const client = clientFor(standIn.url);
    await fc.assert(
      fc.asyncProperty(
        samples,
        samples,
        refreshes,
        fc.integer({ min: 0, max: minuteMs }),
        fc.integer({ min: 1, max: 3 }),
        async (a, b, steps, lateMs, windowHours) => {
          standIn.series = [cgroupOf('db-0', a), cgroupOf('db-1', b)];
          let realMs = startMs;
          let skewMs = 0;
          const keeper = createHourlyWindow({
            client,
            scope,
            windowMs: windowHours * hourMs,
            backfillMs: { first: 1e9, later: 1e9 },
            clock: () => realMs + skewMs,
            monotonicMs: () => realMs,
          });
          for (const step of [...steps, { advanceMs: minuteMs, skewMs: 0 }]) {
            realMs += step.advanceMs;
            ({ skewMs } = step);
            // Samples arrive late.
            standIn.newestMs = realMs - lateMs;
            const window = await keeper.update(refreshAt(realMs + skewMs, pods));
            expect(window.coverageRatio).toBe(1);
            if (skewMs !== 0) continue;
            const fromMs = (Math.floor(realMs / hourMs) - windowHours) * hourMs;
            for (const [i, stored] of [a, b].entries()) {
              const inWindow = stored.filter(
                ([timeMs]) => (leftOpen ? timeMs > fromMs : timeMs >= fromMs) && timeMs <= realMs - lateMs,
              );
              const expected =
                inWindow.length === 0 ? undefined : Math.max(...inWindow.map(([, bytes]) => bytes));
              expect(window.podPeak({ ...podOf(`db-${i}`), requestBytes: undefined })?.peakBytes).toBe(
                expected,
              );
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  },
);
