import { expect, test } from 'vitest';
import { createLeakWatch } from '../../src/snapshot/leak-watch.ts';
import { noWindow } from '../../src/window/no-window.ts';
import type { PeakWindow } from '../../src/window/peak-window.ts';
import { podOf } from './sample-snapshot.ts';

const hours = Array.from({ length: 168 }, (_, i) => (100 + 5 * i) * 2 ** 20);
const pods = Array.from({ length: 100 }, (_, i) => podOf({ name: `leaking-${i}` }));

/** Every pod leaks; tells how often each was looked at. */
function watchedWindow(): PeakWindow & { readonly looks: Map<string, number> } {
  const looks = new Map<string, number>();
  return {
    ...noWindow,
    looks,
    coverageRatio: 1,
    podHours: ({ name }) => {
      looks.set(name, (looks.get(name) ?? 0) + 1);
      return hours;
    },
  };
}

test('a look is spread over refreshes, and finds what one at all pods at once finds, each pod looked at once', () => {
  const window = watchedWindow();
  const whole = createLeakWatch(pods.length).update({ evaluatedAtMs: 0, pods, window });
  expect(whole.size).toBe(pods.length);

  window.looks.clear();
  const watch = createLeakWatch(10);
  for (let refresh = 1; refresh < 10; refresh++) {
    const before = [...window.looks.values()].length;
    // The order in which pods are listed says nothing.
    const listed = refresh % 2 === 0 ? pods : pods.toReversed();
    expect(watch.update({ evaluatedAtMs: refresh, pods: listed, window }).size).toBe(0);
    expect(window.looks.size - before).toBeLessThan(30);
  }
  expect(watch.update({ evaluatedAtMs: 10, pods, window })).toEqual(whole);
  expect(new Set(window.looks.values())).toEqual(new Set([1]));
  watch.update({ evaluatedAtMs: 11, pods, window });
  expect(new Set(window.looks.values())).toEqual(new Set([1]));
});

test('what was found before stays until the next look is finished', () => {
  const window = watchedWindow();
  const watch = createLeakWatch(50);
  for (const evaluatedAtMs of [0, 1]) watch.update({ evaluatedAtMs, pods, window });
  const calm: PeakWindow = { ...window, podHours: () => hours.map(() => 1) };
  expect(watch.update({ evaluatedAtMs: 3_600_000, pods, window: calm }).size).toBe(100);
  expect(watch.update({ evaluatedAtMs: 3_600_001, pods, window: calm }).size).toBe(0);
});

test('a look is finished though refreshes are so rare that the next one is due before', () => {
  const window = watchedWindow();
  const watch = createLeakWatch(10);
  const found = Array.from({ length: 10 }, (_, refresh) =>
    watch.update({ evaluatedAtMs: refresh * 1_800_000, pods, window }),
  );
  expect(found.at(-1)?.size).toBe(pods.length);
});
