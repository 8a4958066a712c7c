import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from './processes.ts';

/**
 * Programs that only tests use, made from published packages by their ordinary clients, once per version, in the
 * user's cache. Where the client itself is missing, the tests that need the program are skipped and say so.
 */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'evictrank', 'test-tools');

/** Where Go's own installation instructions put it, beside the PATH. */
const goCommand = ['go', '/usr/local/go/bin/go'].find((command) => runs(command, ['version']));
const hasPip = runs('python3', ['-m', 'pip', '--version']);

/** Why Go programs cannot be built here; empty where they can. For a test's title. */
export const missingGo = goCommand === undefined ? ' (skipped: there is no Go to build it with)' : '';
/** Why Python packages cannot be installed here; empty where they can. */
export const missingPip = hasPip ? '' : ' (skipped: there is no python3 with pip)';

export interface GoProgram {
  readonly name: string;
  readonly module: string;
  /** Of the main package, below the module. */
  readonly path: string;
  readonly version: string;
  readonly linkerFlags?: string;
}

/** Path of the program, built where it is not in the cache. Rejects with the compiler's output where that fails. */
export async function obtainGoProgram(program: GoProgram): Promise<string> {
  const { name, module, path, version, linkerFlags = '' } = program;
  const folder = await obtain(`${name}-${version}`, async (into) => {
    // Unoptimised: it runs for a moment, and compiles in two thirds of the time. Nice: other tests run beside it.
    const flags = ['-trimpath', '-gcflags=all=-N -l', `-ldflags=-s -w ${linkerFlags}`];
    await run('nice', [goCommand ?? 'go', 'install', ...flags, `${module}/${path}@${version}`], {
      GOBIN: into,
      CGO_ENABLED: '0',
      GOFLAGS: '',
    });
  });
  return join(folder, path.split('/').at(-1) ?? '');
}

/** Folder with a PyPI package and what it needs, installed where it is not in the cache. */
export function obtainPythonPackage(name: string, version: string): Promise<string> {
  return obtain(`${name}-${version}`, async (into) => {
    const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', into, `${name}==${version}`]);
  });
}

async function obtain(key: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cache, key);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const release = await lock(`${folder}.lock`);
  try {
    if (existsSync(folder)) return folder;
    // Filled beside and renamed, so that a folder that is there is whole.
    const unfinished = await mkdtemp(`${folder}.`);
    try {
      await fill(unfinished);
      await rename(unfinished, folder);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
    return folder;
  } finally {
    await release();
  }
}

/** Waits for its turn, so that test files that run at once do not build the same thing twice. */
async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (await isHeld(file)) await delay(200);
      else await rm(file, { force: true });
    }
  }
}

/** A lock whose process has died is not. */
async function isHeld(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(() => '');
  return holder === '' || isRunning(Number(holder));
}

/** Not synchronously: a worker of the test runner that does not answer for a minute is taken for dead. */
async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const env = { ...process.env, ...environment };
  await promisify(execFile)(command, args, { env, maxBuffer: 64 * 1024 * 1024 });
}

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
