import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCoverage } from '../../src/window/coverage.ts';
import { createHourTable } from '../../src/window/hour-table.ts';
import { createPeakRows } from '../../src/window/peak-rows.ts';
import { decodeWindow, encodeWindow, SavedWindowError } from '../../src/window/saved-window.ts';
import { loadWindowFile, saveWindowFile } from '../../src/window/window-file.ts';
import type { WindowState } from '../../src/window/window-state.ts';

const hoursKept = 3;
const newestHour = 483_000;
const settings = { fingerprint: 'these settings', hoursKept };
const atNoon = { ...settings, nowMs: Date.UTC(2024, 0, 31, 12) };

/** Peaks by pod, then by hour counted back from the newest; the owner's name after the pod's. */
type Content = Readonly<Record<string, readonly [string, readonly number[]]>>;

function stateOf(content: Content): WindowState {
  const table = createHourTable(hoursKept);
  table.moveTo(newestHour);
  const rows = createPeakRows(table);
  for (const [pod, [owner, peaks]] of Object.entries(content)) {
    const row = rows.podRow(pod);
    if (owner !== '') rows.setOwner(row, owner);
    for (const [back, bytes] of peaks.entries()) rows.raisePod(row, newestHour - back, bytes);
  }
  return {
    rows,
    coverage: createCoverage([newestHour - 1]),
    progress: { askedUntilMs: 1.5e12, steadySinceMs: 1.4e12 },
  };
}

function contentOf({ rows, coverage, progress }: WindowState) {
  const read = (of: ReadonlyMap<string, number>) =>
    Object.fromEntries([...of].map(([key, row]) => [key, [...rows.table.slots(row)]]));
  return {
    pods: read(rows.pods),
    workloads: read(rows.workloads),
    owned: [...rows.pods].filter(([, row]) => rows.hasOwner(row)).map(([key]) => key),
    newestHour: rows.table.newestHour,
    covered: coverage.covered(),
    progress,
  };
}

function encode(state: WindowState): Buffer {
  // Copied part by part, for a part is overwritten by the next.
  return Buffer.concat(Array.from(encodeWindow(state, settings.fingerprint), (part) => Buffer.from(part)));
}

function decode(bytes: Buffer, expected = settings): Promise<WindowState> {
  let position = 0;
  return decodeWindow(
    {
      sizeBytes: bytes.length,
      read(target) {
        const count = bytes.copy(target, 0, position);
        position += count;
        return Promise.resolve(count);
      },
    },
    expected,
  );
}

const small = encode(stateOf({ 'db-0': ['db', [5, 9]], orphan: ['', [1]] }));

describe('a saved window', () => {
  it('is read back as it was, whatever it holds', async () => {
    const peaks = fc.array(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), {
      maxLength: hoursKept,
    });
    const content = fc.dictionary(
      fc.string({ maxLength: 5, unit: 'binary' }).filter((name) => name !== '__proto__'),
      fc.tuple(fc.string({ maxLength: 2, unit: 'binary' }), peaks),
      { maxKeys: 10 },
    );
    await fc.assert(
      fc.asyncProperty(content, async (given) => {
        const state = stateOf(given);
        expect(contentOf(await decode(encode(state)))).toEqual(contentOf(state));
      }),
      { numRuns: 100 },
    );
  });

  it('is read back over more rows than are written at once', async () => {
    const state = stateOf(
      Object.fromEntries(
        Array.from({ length: 2_500 }, (_, i) => [`pod-${i}`, [`owner-${i % 7}`, [i, i + 1]]]),
      ),
    );
    expect(contentOf(await decode(encode(state)))).toEqual(contentOf(state));
  });

  it('is refused wherever it is cut', async () => {
    for (let length = 0; length < small.length; length++) {
      await expect(decode(small.subarray(0, length))).rejects.toThrow(SavedWindowError);
    }
  });

  it('is refused whichever bit is turned', async () => {
    for (let bit = 0; bit < small.length * 8; bit++) {
      const damaged = Buffer.from(small);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(decode(damaged)).rejects.toThrow(SavedWindowError);
    }
  });

  it.each<[string, Buffer, Partial<typeof settings>, RegExp]>([
    ['with something after its end', Buffer.concat([small, Buffer.from('x')]), {}, /size/],
    ['empty', Buffer.alloc(0), {}, /cut off/],
    ['of another kind', Buffer.from('{"any":"json"}'.repeat(10)), {}, /does not begin/],
    ['of other settings', small, { fingerprint: 'others' }, /other settings/],
    ['of another length of the window', small, { hoursKept: 4 }, /other settings/],
    [
      'of another version',
      Buffer.from(small.toString('latin1').replace('"version":1', '"version":2'), 'latin1'),
      {},
      /format version 2, not 1/,
    ],
  ])('is refused where it is %s', async (_, bytes, changes, message) => {
    const refusal = decode(bytes, { ...settings, ...changes });
    await expect(refusal).rejects.toThrow(SavedWindowError);
    await expect(refusal).rejects.toThrow(message);
  });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-window-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('a window file', () => {
  it('is made with its folder, and read back', async () => {
    const file = join(await temporaryFolder(), 'data', 'window');
    const state = stateOf({ 'db-0': ['db', [5, 9]] });
    await saveWindowFile(file, state, settings.fingerprint);
    const loaded = await loadWindowFile(file, atNoon);
    expect(loaded.kind === 'loaded' && contentOf(loaded.state)).toEqual(contentOf(state));
    expect(await readdir(join(file, '..'))).toEqual(['window']);
  });

  it('that is not there is no error', async () => {
    const file = join(await temporaryFolder(), 'window');
    expect(await loadWindowFile(file, atNoon)).toEqual({ kind: 'absent' });
  });

  it('that is damaged is set aside, and only the newest two of those are kept', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'window');
    for (let minute = 0; minute < 4; minute++) {
      await writeFile(file, small.subarray(0, 40 + minute));
      const loaded = await loadWindowFile(file, { ...atNoon, nowMs: atNoon.nowMs + minute * 60_000 });
      expect(loaded).toMatchObject({ kind: 'set_aside', reason: expect.stringMatching(/./) as string });
    }
    expect((await readdir(folder)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'window.damaged-2024-01-31T12-02-00-000Z',
      'window.damaged-2024-01-31T12-03-00-000Z',
    ]);
    expect((await stat(join(folder, 'window.damaged-2024-01-31T12-03-00-000Z'))).size).toBe(43);
  });

  it('is the old one where a write was broken off, and what was left of that write goes', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'window');
    await saveWindowFile(file, stateOf({ old: ['', [1]] }), settings.fingerprint);
    await writeFile(`${file}.tmp`, small.subarray(0, 50));
    const loaded = await loadWindowFile(file, atNoon);
    expect(loaded.kind === 'loaded' && [...loaded.state.rows.pods.keys()]).toEqual(['old']);
    expect(await readdir(folder)).toEqual(['window']);
  });

  it('whose folder cannot be is an error of the file system', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    await expect(saveWindowFile(join(folder, 'file', 'window'), stateOf({}), 'f')).rejects.toThrow(
      /EEXIST|ENOTDIR/,
    );
    await mkdir(join(folder, 'window'));
    await expect(loadWindowFile(join(folder, 'window'), atNoon)).rejects.toThrow('EISDIR');
  });

  it('is whole at whatever moment the process that writes it is killed', async () => {
    const file = join(await temporaryFolder(), 'window');
    const script = fileURLToPath(new URL('fixtures/endless-writer.mjs', import.meta.url));
    for (const killAfterMs of [0, 3, 11, 29, 61]) {
      const writer = spawn(process.execPath, [script, file, settings.fingerprint, String(hoursKept)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(writer.stdout, 'data');
      await delay(killAfterMs);
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      const loaded = await loadWindowFile(file, atNoon);
      expect(loaded.kind).toBe('loaded');
      if (loaded.kind !== 'loaded') continue;
      const { rows } = loaded.state;
      const peaks = new Set([...rows.pods.values()].map((row) => rows.table.at(row, rows.table.newestHour)));
      // Each save holds one number in all rows, so a mixture would show.
      expect([rows.pods.size, peaks.size]).toEqual([20_000, 1]);
    }
  });
});
