import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
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
  readonly tags?: string;
  readonly linkerFlags?: string;
  /** Of Go, where the program needs a newer one than may be installed: `go1.27.3`. */
  readonly toolchain?: string;
  /** True for servers that answer many questions; the others run for a moment. */
  readonly isOptimised?: boolean;
}

/** Path of the program, built where it is not in the cache. Rejects with the compiler's output where that fails. */
export async function obtainGoProgram(program: GoProgram): Promise<string> {
  const { name, module, path, version, toolchain } = program;
  const file = basename(path);
  const environment = {
    CGO_ENABLED: '0',
    GOFLAGS: '',
    // Some modules come with a workspace whose other members do not.
    GOWORK: 'off',
    ...(toolchain !== undefined && { GOTOOLCHAIN: toolchain }),
  };
  const folder = await obtain(`${name}-${version}`, async (into) => {
    const go = goCommand ?? 'go';
    // In the module's own folder: `go install` refuses a module that replaces others, as Thanos does.
    const { Dir } = JSON.parse(
      await run(go, ['mod', 'download', '-json', `${module}@${version}`], environment),
    ) as { Dir: string };
    const build = ['build', '-C', Dir, '-o', join(into, file), ...buildFlags(program), `./${path}`];
    // Nice: other tests run beside it.
    await run('nice', [go, ...build], environment);
  });
  return join(folder, file);
}

function buildFlags({ tags = '', linkerFlags = '', isOptimised = false }: GoProgram): string[] {
  const flags = ['-trimpath', `-tags=${tags}`, `-ldflags=-s -w ${linkerFlags}`];
  // It compiles in two thirds of the time without.
  return isOptimised ? flags : [...flags, '-gcflags=all=-N -l'];
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

/** What it prints. Not synchronously: a worker of the test runner that does not answer for a minute is taken for dead. */
async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
