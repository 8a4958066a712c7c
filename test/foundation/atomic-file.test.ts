import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findWriteTarget, writeFileAtomically } from '../../src/foundation/atomic-file.ts';
import { writeSnapshotFile } from '../../src/outputs/snapshot-file/write.ts';
import { createCoverage } from '../../src/window/coverage.ts';
import { createHourTable } from '../../src/window/hour-table.ts';
import { createPeakRows } from '../../src/window/peak-rows.ts';
import { loadWindowFile, saveWindowFile } from '../../src/window/window-file.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evictrank-atomic-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function makePipe(folder: string): string {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return pipe;
}

const noWindow = {
  rows: createPeakRows(createHourTable(1)),
  coverage: createCoverage(),
  progress: undefined,
};
const expected = { fingerprint: 'f', hoursKept: 1, nowMs: 0 };

/** Whatever writes a file whole, by what it takes a path for. */
const writers: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['a snapshot', (file) => writeSnapshotFile(file, 'new')],
  ['a window', (file) => saveWindowFile(file, noWindow, 'f')],
];

describe.each(writers)('%s', (_name, write) => {
  it('takes the place of the file of before, and leaves nothing else behind', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'file'), 'old');
    await write(join(folder, 'file'));
    expect(await readFile(join(folder, 'file'), 'utf8')).not.toBe('old');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it.each(['there', 'not there yet'])(
    'written through links is in the file they end at, which is %s',
    async (state) => {
      const folder = temporaryFolder();
      await mkdir(join(folder, 'disk'));
      const target = join(folder, 'disk', 'file');
      if (state === 'there') await writeFile(target, 'old');
      await symlink(join('disk', 'file'), join(folder, 'second'));
      await symlink('second', join(folder, 'first'));
      await write(join(folder, 'first'));
      expect(await readlink(join(folder, 'first'))).toBe('second');
      expect(await readlink(join(folder, 'second'))).toBe(join('disk', 'file'));
      expect((await lstat(target)).isFile()).toBe(true);
      expect(await readFile(target, 'utf8')).not.toBe('old');
      expect(await readdir(join(folder, 'disk'))).toEqual(['file']);
    },
  );

  it.each(['a folder', 'a link to itself', 'a path below a file'])('is refused by %s', async (what) => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    if (what === 'a folder') await mkdir(file);
    else if (what === 'a link to itself') await symlink('file', file);
    else await writeFile(file, 'old');
    const path = what === 'a path below a file' ? join(file, 'below') : file;
    await expect(write(path)).rejects.toThrow(/EISDIR|ELOOP|ENOTDIR|EEXIST/);
    expect(await readdir(folder)).toEqual(['file']);
  });
});

describe('what is no regular file', () => {
  it('takes a snapshot as it comes, and stays what it is', async () => {
    const pipe = makePipe(temporaryFolder());
    const [read] = await Promise.all([readFile(pipe, 'utf8'), writeSnapshotFile(pipe, 'new')]);
    expect(read).toBe('new');
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  it('that does not take it is an error, and stays as well', async () => {
    const folder = temporaryFolder();
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    await expect(writeSnapshotFile(socket, 'new')).rejects.toThrow('socket: cannot be written (ENXIO)');
    expect((await lstat(socket)).isSocket()).toBe(true);
  });

  it.each(['itself', 'behind a link'])(
    'keeps no window: it is neither read nor replaced nor set aside, %s',
    async (how) => {
      const folder = temporaryFolder();
      const pipe = makePipe(folder);
      await symlink('pipe', join(folder, 'link'));
      const file = how === 'itself' ? pipe : join(folder, 'link');
      await expect(saveWindowFile(file, noWindow, 'f')).rejects.toThrow('is a device, a pipe or a socket');
      await expect(loadWindowFile(file, expected)).rejects.toThrow('is a device, a pipe or a socket');
      expect((await lstat(pipe)).isFIFO()).toBe(true);
      expect(await readdir(folder)).toEqual(['link', 'pipe']);
    },
  );

  it('is told from a file: the null device', async () => {
    expect(await findWriteTarget('/dev/null')).toEqual({ path: '/dev/null', isSpecial: true });
  });
});

it('leaves the old file where the new one cannot be written to its end', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  await writeFile(file, 'old');
  function* failing(): Generator<Uint8Array> {
    yield Buffer.from('new');
    throw new Error('ENOSPC: no space left on device');
  }
  const temporary = `${file}.tmp`;
  await expect(writeFileAtomically(file, failing(), { temporary })).rejects.toThrow('no space left');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['file']);
});
