import { truncateSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type ListedPod, podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

const session = startSession();
afterAll(session.end);

const pod: ListedPod = {
  namespace: 'a',
  name: 'x',
  priority: 0,
  containers: [{ name: 'c', resources: { requests: { memory: '100Mi' } } }],
  stats: { memory: { workingSetBytes: 5 } },
};
const pods = podList([pod]);
const summary = statsSummary([pod]);

/** Runs `rank` on these files and answers what a user sees. */
async function rank(files: { pods?: unknown; summary?: unknown; nodes?: unknown }, ...more: string[]) {
  const nodes = files.nodes === undefined ? [] : ['--nodes', session.file('nodes.json', files.nodes)];
  return session.run(
    'rank',
    '--pods',
    session.file('pods.json', files.pods ?? pods),
    '--summary',
    session.file('summary.json', files.summary ?? summary),
    ...nodes,
    ...more,
  );
}

describe('a file that cannot be used ends the command with one line that names it', () => {
  test.each<[string, Parameters<typeof rank>[0], RegExp]>([
    ['is no JSON', { pods: 'NAME READY\nx 1/1' }, /pods\.json: is not JSON/],
    ['is empty', { pods: '' }, /pods\.json: is not JSON \(it is empty\)/],
    ['is cut', { pods: JSON.stringify(pods).slice(0, 80) }, /pods\.json: is not JSON/],
    ['is of another kind', { pods: { kind: 'NodeList', items: [] } }, /pods\.json: is a NodeList/],
    [
      'is a list of objects of another kind',
      {
        pods: {
          kind: 'List',
          items: ['a', 'b'].map((name) => ({ kind: 'Service', metadata: { name, namespace: 'default' } })),
        },
      },
      /pods\.json: /,
    ],
    [
      'is an error of Kubernetes',
      { pods: { kind: 'Status', message: 'Forbidden' } },
      /pods\.json.*Forbidden/,
    ],
    ['is a list where stats are expected', { summary: pods }, /summary\.json: is a List, where the stats/],
    ['is nothing of the kind', { summary: { hello: 1 } }, /summary\.json: is not a stats summary/],
  ])('%s', async (_name, files, message) => {
    const { status, stdout, stderr } = await rank(files);
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => message.test(line)),
    ).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  test('is too large, and how to write smaller ones', async () => {
    const path = session.file('huge.json', '');
    truncateSync(path, 401 * 2 ** 20);
    const { status, stderr } = await session.run('rank', '--pods', path, '--summary', path);
    expect(stderr).toMatch(
      /huge\.json: has 401Mi, more than the 400Mi one file may have; write one file per node/,
    );
    expect(status).toBe(1);
  });

  test('is not there', async () => {
    const { status, stderr } = await session.run(
      'rank',
      '--pods',
      '/nowhere.json',
      '--summary',
      '/nowhere.json',
    );
    expect(stderr).toContain('/nowhere.json: cannot be read (ENOENT)');
    expect(status).toBe(1);
  });
});

describe('what is wrong with one pod leaves the others ranked', () => {
  const impossible: ListedPod = {
    ...pod,
    name: 'impossible',
    containers: [{ name: 'c', resources: { requests: { memory: '12 apples' } } }],
  };

  test('an impossible quantity is named with its path in the file', async () => {
    const listed = [impossible, pod];
    const { stderr, stdout } = await rank(
      { pods: podList(listed), summary: statsSummary(listed) },
      '--output',
      'json',
    );
    expect(stderr).toMatch(
      /pods\.json.*items\[0\]\.spec\.containers\[0\]\.resources\.requests\.memory.*12 apples/,
    );
    const [node] = (
      JSON.parse(stdout) as {
        nodes: { complete: boolean; pods: { pod: string; rank: number; distanceBytes: number | null }[] }[];
      }
    ).nodes;
    expect(node?.pods).toMatchObject([{ pod: 'x', rank: 1, distanceBytes: null }]);
    expect(node?.complete).toBe(false);
  });

  test('a pod that no summary mentions goes first, as in the kubelet, and is counted', async () => {
    const silent: ListedPod = { ...pod, name: 'silent', stats: undefined };
    const listed = [pod, silent];
    const { stderr, stdout } = await rank(
      { pods: podList(listed), summary: statsSummary(listed) },
      '--output',
      'json',
    );
    const [node] = (JSON.parse(stdout) as { nodes: { pods: { pod: string; group: string }[] }[] }).nodes;
    expect(node?.pods.map((row) => [row.pod, row.group])).toEqual([
      ['silent', 'no_stats'],
      ['x', 'within_request'],
    ]);
    expect(stderr).toMatch(/1 pod.*silent/);
  });
});

describe('bad usage ends with exit code 2 and names the remedy', () => {
  test.each<[string[], RegExp]>([
    [['rank'], /no source: give --prometheus\.url URL, --snapshot FILE, or --pods FILE/],
    [['rank', '--pods', 'x'], /--summary is missing/],
    [['rank', '--snapshot', 'x', '--pods', 'y'], /--pods and --snapshot are different sources/],
    [['rank', '--output', 'xml', '--snapshot', 'x'], /xml/],
    [['rank', '--signal', 'luck', '--snapshot', 'x'], /luck/],
    [['rank', '--signal', 'disk', '--prometheus.url', 'http://127.0.0.1:1'], /no data of nodefs\.available/],
    [['simulate', '--pod', 'nonsense', '--snapshot', 'x'], /nonsense/],
    [['simulate', '--extra-node-usage', 'lots', '--snapshot', 'x'], /extra-node-usage/],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await session.run(...args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  test('a node that is not there is named with those that are', async () => {
    const { status, stderr } = await rank({}, '--node', 'nope');
    expect(stderr).toMatch(/nope.*node-1/s);
    expect(status).toBeGreaterThan(0);
  });
});

describe('output', () => {
  test('has colours only on a terminal that does not mind', async () => {
    const files = ['--pods', session.file('p.json', pods), '--summary', session.file('s.json', summary)];
    const escapeCode = '\u001B[';
    const colored = startSession({ isTerminal: true, environment: { TERM: 'xterm' } });
    const plain = startSession({ isTerminal: true, environment: { NO_COLOR: '1' } });
    expect((await colored.run('rank', ...files)).stdout).toContain(escapeCode);
    expect((await plain.run('rank', ...files)).stdout).not.toContain(escapeCode);
    expect((await session.run('rank', ...files)).stdout).not.toContain(escapeCode);
    colored.end();
    plain.end();
  });

  test.each([80, 120])('keeps to %i columns', async (columns) => {
    const listed = Array.from({ length: 5 }, (_, i) => ({
      ...pod,
      namespace: 'a-rather-long-namespace',
      name: `a-deployment-with-a-long-name-7d9f8b6c5d-x${i}zzz`,
    }));
    const narrow = startSession({ isTerminal: true, columns, environment: { NO_COLOR: '1' } });
    const { stdout } = await narrow.run(
      'rank',
      ...['--pods', narrow.file('pods.json', podList(listed))],
      ...['--summary', narrow.file('summary.json', statsSummary(listed))],
    );
    narrow.end();
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test('as csv has one row per pod and a header', async () => {
    const { stdout } = await rank({}, '--output', 'csv');
    const [header, row, ...rest] = stdout.trim().split('\n');
    expect(header).toContain('rank');
    expect(row).toContain('within_request');
    expect(rest).toEqual([]);
  });

  test('never lets a name steer the terminal', async () => {
    const listed = [{ ...pod, name: 'evil\u001B[2Jname' }];
    const { stdout } = await rank({ pods: podList(listed), summary: statsSummary(listed) });
    expect(stdout).not.toContain('\u001B');
  });
});

test('a snapshot read back ranks as the files it was written from', async () => {
  const files = ['--pods', session.file('p.json', pods), '--summary', session.file('s.json', summary)];
  const direct = await session.run('rank', ...files, '--output', 'json');
  for (const name of ['cluster.json', 'cluster.json.gz']) {
    const path = session.file(name, '');
    expect((await session.run('snapshot', path, ...files)).status).toBe(0);
    const again = await session.run('rank', '--snapshot', path, '--output', 'json');
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(direct.stdout));
  }
});

test.each(['not json', '{}', '{"format":"evictrank-snapshot","version":999}'])(
  'a file that is no snapshot is refused in one line: %s',
  async (content) => {
    const { status, stderr } = await session.run('rank', '--snapshot', session.file('bad.json', content));
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('bad.json');
    expect(status).toBe(1);
  },
);
