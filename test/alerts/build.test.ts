import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let directory: string;
let program: string;

/** Compiled apart from dist/, which another test may be running from. */
beforeAll(() => {
  directory = mkdtempSync(join(root, 'node_modules', '.alerts-build-'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json', '--outDir', join(directory, 'dist')],
    { cwd: root },
  );
  program = join(directory, 'dist/alerts/main.js');
});
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

test('it writes the files to the directory given, and --check accepts them until one is changed', () => {
  const out = join(directory, 'out');
  expect(run('--set', 'peakRatio=1.5', '--out', out)).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(out).toSorted()).toEqual([
    'evictrank.rules.yaml',
    'prometheusrule.yaml',
    'recording.rules.yaml',
    'standalone.rules.yaml',
  ]);
  expect(readFileSync(join(out, 'evictrank.rules.yaml'), 'utf8')).toContain('> 1.5\n');
  expect(run('--set', 'peakRatio=1.5', '--out', out, '--check')).toMatchObject({ status: 0, stderr: '' });
  appendFileSync(join(out, 'recording.rules.yaml'), '# edited\n');
  expect(run('--set', 'peakRatio=1.5', '--out', out, '--check')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('recording.rules.yaml differs'),
  });
});

test('the directory it writes to by default is alerts/ beside dist/', () => {
  expect(run()).toMatchObject({ status: 0 });
  expect(readdirSync(join(directory, 'alerts'))).toContain('evictrank.rules.yaml');
});

test.for([
  ['an unknown parameter', ['--set', 'ratio=2'], 'ratio: no such parameter'],
  ['an unknown option', ['--force'], "unknown option '--force'"],
] as const)('%s is bad usage: exit 2 and a sentence', ([, args, message]) => {
  expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
});
