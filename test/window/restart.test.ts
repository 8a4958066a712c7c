import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HourlyWindowDeps } from '../../src/window/hourly-window.ts';
import type { PeakWindow } from '../../src/window/peak-window.ts';
import { startStandIn } from './stand-in-prometheus.ts';
import {
  cgroupOf,
  hourMs,
  minuteMs,
  podInfo,
  podOf,
  refreshAt,
  replicaSetOwner,
  windowOver,
} from './window-case.ts';

const noonMs = 483_000 * hourMs;
const web = { kind: 'Deployment', name: 'web' };
const webKey = { cluster: undefined, namespace: 'shop', ...web };
const pods = [podOf('db-0'), podOf('web-2-b', web)];

async function startCase(changes: Partial<HourlyWindowDeps> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-window-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const times = Array.from({ length: 30 * 12 }, (_, i) => noonMs - 26 * hourMs + i * 5 * minuteMs);
  const seen = [noonMs - 9.5 * hourMs];
  const standIn = await startStandIn(
    [
      cgroupOf(
        'db-0',
        times.map((timeMs, i) => [timeMs, i]),
      ),
      cgroupOf(
        'web-2-b',
        times.map((timeMs) => [timeMs, 5]),
      ),
      cgroupOf(
        'web-1-a',
        seen.map((timeMs) => [timeMs, 900]),
      ),
      podInfo('web-1-a', { kind: 'ReplicaSet', name: 'web-1' }, seen),
      replicaSetOwner('web-1', 'web', seen),
    ],
    { leftOpen: true },
  );
  const file = join(folder, 'window');
  const start = async (more: Partial<HourlyWindowDeps> = {}) => {
    const keeper = windowOver(standIn.url, {
      windowMs: 24 * hourMs,
      file,
      backend: 'http://prometheus',
      clock: () => noonMs,
      ...changes,
      ...more,
    });
    await keeper.load();
    return keeper;
  };
  return { standIn, file, start };
}

function shown(window: PeakWindow) {
  return {
    pods: pods.map((pod) => window.podPeak({ ...pod, requestBytes: 7 })),
    workload: window.workloadPeakBytes(webKey),
    hours: window.observedHours(webKey),
    coverage: window.coverageRatio,
    problems: window.problems,
  };
}

describe('a restart', () => {
  it('shows what was shown before, and asks only for the time since', async () => {
    const { standIn, start } = await startCase();
    const before = await start();
    const shownBefore = shown(await before.update(refreshAt(noonMs - minuteMs, pods)));
    expect(shownBefore).toMatchObject({ workload: 900, coverage: 1, problems: [] });
    await before.save();
    standIn.asked.length = 0;
    const after = await start();
    expect(shown(await after.update(refreshAt(noonMs - 1, pods)))).toEqual(shownBefore);
    expect(standIn.asked.map(({ rangeMs }) => rangeMs)).toEqual([3 * minuteMs - 1]);
  });

  it('after a while asks for the hours in between, no others', async () => {
    const { standIn, start } = await startCase();
    const before = await start();
    await before.update(refreshAt(noonMs - 2.5 * hourMs, pods));
    await before.save();
    standIn.asked.length = 0;
    const after = await start();
    const window = await after.update(refreshAt(noonMs - minuteMs, pods));
    expect(window.coverageRatio).toBe(1);
    const usage = standIn.asked.filter(({ metric }) => metric.startsWith('container_memory'));
    expect(usage.map(({ timesMs }) => timesMs)).toEqual([
      [noonMs - minuteMs],
      [noonMs - 2 * hourMs, noonMs - hourMs],
    ]);
    const fresh = await (await start({ file: undefined })).update(refreshAt(noonMs - minuteMs, pods));
    expect(shown(window)).toEqual(shown(fresh));
  });

  it.each([
    ['is cut', (file: string) => truncate(file, 200), /cut off|size/],
    ['is something else', (file: string) => writeFile(file, 'something else'.repeat(20)), /does not begin/],
  ])('does without a saved window that %s, says so, and backfills', async (_, damage, message) => {
    const { start, file } = await startCase();
    const before = await start();
    const shownBefore = shown(await before.update(refreshAt(noonMs, pods)));
    await before.save();
    await damage(file);
    const after = await start();
    const window = await after.update(refreshAt(noonMs, pods));
    expect({ ...shown(window), problems: [] }).toEqual(shownBefore);
    expect(window.problems).toMatchObject([{ kind: 'window_set_aside', subject: file }]);
    expect(window.problems[0]?.message).toMatch(message);
    expect(await readdir(dirname(file))).toEqual([expect.stringMatching(/^window\.damaged-/)]);
    await after.save();
    expect((await after.update(refreshAt(noonMs, pods))).problems).toEqual([]);
  });

  it.each<[string, Partial<HourlyWindowDeps>]>([
    ['backend', { backend: 'http://another' }],
    ['length of the window', { windowMs: 25 * hourMs }],
  ])('does not use the window of another %s', async (_, changes) => {
    const { start } = await startCase();
    const before = await start();
    await before.update(refreshAt(noonMs, pods));
    await before.save();
    const window = await (await start({ ...changes, backfillMs: { first: 0, later: 0 } })).update(
      refreshAt(noonMs, pods),
    );
    // Only the hour that has just ended.
    expect(window.coverageRatio).toBe(0);
    expect(window.problems).toMatchObject([{ kind: 'window_set_aside' }]);
    expect(window.problems[0]?.message).toContain('other settings');
  });
});

describe('saving', () => {
  it('that fails is told until it succeeds, and nothing else suffers', async () => {
    const { start, file } = await startCase();
    const blocked = join(dirname(file), 'blocked');
    await writeFile(blocked, '');
    const keeper = await start({ file: join(blocked, 'window') });
    await keeper.update(refreshAt(noonMs, pods));
    await keeper.save();
    const window = await keeper.update(refreshAt(noonMs, pods));
    expect(window.coverageRatio).toBe(1);
    // The file cannot be read either: its folder is a file.
    expect(window.problems.map(({ kind }) => kind)).toEqual(['window_set_aside', 'window_not_saved']);
    await rm(blocked);
    await keeper.save();
    expect((await keeper.update(refreshAt(noonMs, pods))).problems).toEqual([]);
  });

  it('is due once more hours are covered, and at most every ten minutes', async () => {
    let elapsedMs = 0;
    const { start, file } = await startCase({ monotonicMs: () => elapsedMs });
    const keeper = await start();
    const isSaved = async () => {
      await keeper.saveIfDue();
      const saved = await stat(file).catch(() => undefined);
      await rm(file, { force: true });
      return saved !== undefined;
    };
    expect(await isSaved()).toBe(false);
    await keeper.update(refreshAt(noonMs - 30 * minuteMs, pods));
    expect(await isSaved()).toBe(true);
    elapsedMs = 20 * minuteMs;
    await keeper.update(refreshAt(noonMs - 10 * minuteMs, pods));
    expect(await isSaved()).toBe(false);
    await keeper.update(refreshAt(noonMs + minuteMs, pods));
    expect(await isSaved()).toBe(true);
    elapsedMs += 9 * minuteMs;
    await keeper.update(refreshAt(noonMs + hourMs + minuteMs, pods));
    expect(await isSaved()).toBe(false);
    elapsedMs += minuteMs;
    expect(await isSaved()).toBe(true);
  });

  it('waits for an update under way, so that a file holds one moment', async () => {
    const { start, file } = await startCase();
    const keeper = await start();
    const [window] = await Promise.all([keeper.update(refreshAt(noonMs, pods)), keeper.save()]);
    const after = await start();
    expect(shown(await after.update(refreshAt(noonMs, pods)))).toEqual(shown(window));
    expect(await readdir(dirname(file))).toEqual(['window']);
  });

  it('without a file does nothing', async () => {
    const { start, file } = await startCase();
    const keeper = await start({ file: undefined });
    await keeper.update(refreshAt(noonMs, pods));
    await keeper.save();
    await keeper.saveIfDue();
    expect(await readdir(dirname(file))).toEqual([]);
  });
});
