import { afterAll, describe, expect, test } from 'vitest';
import { startSession } from './session.ts';

const session = startSession();
afterAll(session.end);

const kind = 'kind: KubeletConfiguration\n';

function thresholds(yaml: string, ...flags: readonly string[]) {
  return session.run('thresholds', session.file('kubelet.yaml', kind + yaml), ...flags);
}

describe('thresholds for people', () => {
  test('are one row each, in bytes where the capacity is known, else with how to tell it', async () => {
    const { status, stdout, stderr } = await thresholds(
      'evictionHard: { memory.available: 10%, nodefs.inodesFree: 5%, pid.available: "500" }\nenforceNodeAllocatable: []\n',
      ...['--capacity', 'memory.available=6Gi', '--capacity', 'nodefs.inodesFree=1000'],
    );
    expect(status).toBe(0);
    expect(stderr).toContain('switches the defaults of what it leaves out off: nodefs.available, ');
    expect(stdout).toMatchInlineSnapshot(`
      "SIGNAL             KIND  EVICTS BELOW    AFTER  RECLAIMS  STOPS AT
      memory.available   hard   10% = 614Mi  at once         -     614Mi
      nodefs.inodesFree  hard       5% = 50  at once         -        50
      pid.available      hard           500  at once         -       500
      "
    `);
  });

  test('that are switched off are told as none', async () => {
    const { stdout } = await thresholds('evictionHard: { memory.available: 0% }\n');
    expect(stdout).toBe(
      'No threshold is set: this kubelet evicts nothing for lack of memory, disk or processes.\n',
    );
  });

  test('that the kubelet accepts and never acts on are told as such', async () => {
    const { stdout } = await thresholds('evictionHard: { allocatableMemory.available: 1Gi }\n');
    expect(stdout).toMatch(/allocatableMemory\.available +hard +never/);
  });

  test.each(['Inf%', 'NaN%', '1e30%'])(
    'that nobody can mean, such as %s, end in no crash',
    async (amount) => {
      const { status, stdout, stderr } = await thresholds(
        `evictionHard: { memory.available: 100Mi }\nevictionMinimumReclaim: { memory.available: "${amount}" }\n`,
        ...['--capacity', 'memory.available=6Gi'],
      );
      expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('100Mi') });
      expect(stderr).toContain('memory.available: an amount or a minimum reclaim that no node can have');
    },
  );

  test('are those of the version asked for', async () => {
    const rows = async (...flags: string[]) => (await thresholds('', ...flags)).stdout;
    expect(await rows('--kubelet-version', 'v1.29.4')).not.toContain('imagefs.inodesFree');
    expect(await rows('--kubelet-version', 'v1.30.0')).toContain('imagefs.inodesFree');
    expect(await rows()).toContain('imagefs.inodesFree');
  });

  test.each([
    [['--capacity', 'memory=6Gi'], '--capacity memory=6Gi must be written SIGNAL=QUANTITY'],
    [['--capacity', 'memory.available'], '--capacity memory.available must be written SIGNAL=QUANTITY'],
    [['--capacity', 'memory.available=6GB'], 'quantities must match the regular expression'],
    [['--capacity', 'memory.available=-1'], 'must not be negative'],
    [['--kubelet-version', 'newest'], '--kubelet-version newest must be written like v1.29.4'],
  ])('refuse %j as bad usage', async (flags, message) => {
    const { status, stdout, stderr } = await thresholds('', ...flags);
    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test('of a file that is not there fail', async () => {
    expect(await session.run('thresholds', '/nowhere')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'evictrank: the kubelet settings /nowhere cannot be read (ENOENT)\n',
    });
  });
});
