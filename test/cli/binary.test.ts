import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { missingBuild } from '../support/build.ts';
import { type ListedPod, podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

/** What only a process shows: pipes, exit codes, standard input. */
const needsBuild = missingBuild();
const session = startSession();
afterAll(session.end);

/** More than fits into a pipe that nobody reads. */
const pods = Array.from(
  { length: 3_000 },
  (_, i): ListedPod => ({
    namespace: 'a',
    name: `pod-${i}`,
    priority: 0,
    containers: [{ name: 'c', resources: { requests: { memory: '1Mi' } } }],
    stats: { memory: { workingSetBytes: i } },
  }),
);
const podsFile = session.file('pods.json', podList(pods));
const summaryFile = session.file('summary.json', statsSummary(pods));
const files = ['--pods', podsFile, '--summary', summaryFile];

type Stdio = 'pipe' | 'ignore' | number;

function evictrank(args: readonly string[], stdio: { stdin?: Stdio; stdout?: Stdio } = {}): ChildProcess {
  return spawn(process.execPath, ['dist/main.js', ...args], {
    stdio: [stdio.stdin ?? 'ignore', stdio.stdout ?? 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
}

async function outcome(child: ChildProcess) {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  }
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...texts };
}

describe.skipIf(needsBuild !== '')(`the built program${needsBuild}`, () => {
  test.each(['table', 'json', 'csv'])('writes all of a long %s into a pipe', async (format) => {
    const { status, stdout, stderr } = await outcome(evictrank(['rank', ...files, '--output', format]));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout.match(/pod-\d+/g)).toHaveLength(pods.length);
  });

  test.each(['table', 'json', 'csv'])('ends quietly when its reader of %s goes away', async (format) => {
    const child = evictrank(['rank', ...files, '--output', format]);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await outcome(child)).toMatchObject({ status: 0, stderr: '' });
  });

  test('says in one line that it cannot write', async () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = await outcome(evictrank(['rank', ...files], { stdout: full }));
    closeSync(full);
    expect(stderr).toBe('evictrank: cannot write (ENOSPC)\n');
    expect(status).toBe(1);
  });

  test('reads pods from standard input', async () => {
    const child = evictrank(['rank', '--pods', '-', '--summary', summaryFile, '--output', 'csv'], {
      stdin: 'pipe',
    });
    child.stdin?.end(readFileSync(podsFile));
    const { status, stdout } = await outcome(child);
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(pods.length + 1);
  });

  test('reads a KubeletConfiguration from standard input, and says all that the kubelet would say', async () => {
    const config = { kind: 'KubeletConfiguration', evictionHard: { 'memory.available': '0', foo: '1Gi' } };
    const child = evictrank(['thresholds', '-'], { stdin: 'pipe' });
    child.stdin?.end(JSON.stringify(config));
    const { status, stdout, stderr } = await outcome(child);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(
      'evictionHard.memory.available: eviction threshold memory.available must be positive: 0',
    );
    expect(stderr).toContain('evictionHard.foo: unsupported eviction signal foo');
  });

  test('explains a message from standard input', async () => {
    const child = evictrank(['explain-message'], { stdin: 'pipe' });
    child.stdin?.end(
      'The node was low on resource: memory. Container api was using 1408Mi, which exceeds its request of 1Gi. ',
    );
    const { status, stdout } = await outcome(child);
    expect(status).toBe(0);
    expect(stdout).toContain('api used 1408Mi with a request of 1Gi');
  });

  test.each<[string, string[], number]>([
    ['help that was asked for', ['--help'], 0],
    ['help of a command', ['help', 'rank'], 0],
    ['the version', ['--version'], 0],
    ['no command', [], 2],
    ['an unknown command', ['rnak'], 2],
    ['an unknown option', ['rank', '--nonsense'], 2],
    ['a source that is not there', ['rank', '--snapshot', '/nowhere'], 1],
  ])('answers %s with its exit code', async (_name, args, status) => {
    expect((await outcome(evictrank(args))).status).toBe(status);
  });
});
