import { afterAll, describe, expect, test } from 'vitest';
import type { RankedLadder } from '../../src/outputs/cli/pressure-ladder.ts';
import { startSession } from './session.ts';

/** How pods, nodes, priority classes and stats of files are joined, seen through `rank`. */
const session = startSession();
afterAll(session.end);

const MI = 2 ** 20;
const takenAt = '2026-01-01T12:00:00Z';

interface PodFacts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

function pod(name: string, { metadata = {}, spec = {}, status = {} }: PodFacts = {}): object {
  return {
    kind: 'Pod',
    metadata: { namespace: 'a', name, uid: `uid-${name}`, ...metadata },
    spec: { nodeName: 'n1', containers: [requesting('c', '100Mi')], ...spec },
    status: { phase: 'Running', startTime: '2026-01-01T00:00:00Z', ...status },
  };
}

function requesting(name: string, memory: string, more: object = {}): object {
  return { name, ...more, resources: { requests: { memory } } };
}

function stats(name: string, workingSetMi: number, more: object = {}): object {
  return {
    podRef: { namespace: 'a', name, uid: `uid-${name}` },
    memory: { time: takenAt, workingSetBytes: workingSetMi * MI },
    ...more,
  };
}

function summary(pods: readonly object[], node: object = {}): object {
  return {
    node: {
      nodeName: 'n1',
      memory: { time: takenAt, availableBytes: 1000 * MI, workingSetBytes: 3000 * MI },
      ...node,
    },
    pods,
  };
}

async function rank(given: { pods: readonly object[]; summaries: readonly object[] }, ...flags: string[]) {
  const summaries = given.summaries.map((content, i) => session.file(`summary-${i}.json`, content));
  const { status, stdout, stderr } = await session.run(
    'rank',
    ...['--pods', session.file('pods.json', { kind: 'List', items: given.pods })],
    ...['--summary', ...summaries],
    ...['--output', 'json'],
    ...flags,
  );
  expect(status, stderr).toBe(0);
  const { nodes } = JSON.parse(stdout) as { nodes: RankedLadder[] };
  return { nodes, stderr, stdout, first: nodes[0] };
}

/** What the only pod of a node requests, in Mi. */
async function requestMi(facts: PodFacts): Promise<number> {
  const { first } = await rank({ pods: [pod('x', facts)], summaries: [summary([stats('x', 1)])] });
  return Number(first?.pods[0]?.requestBytes) / MI;
}

describe('the request of a pod', () => {
  const sidecar = (memory: string) => requesting(`s${memory}`, memory, { restartPolicy: 'Always' });
  const containers = [requesting('c', '100Mi')];

  test.each<[string, PodFacts, number]>([
    [
      'is the sum of its containers',
      { spec: { containers: [...containers, requesting('d', '0.5Gi')] } },
      612,
    ],
    [
      'has a larger init container',
      { spec: { containers, initContainers: [requesting('i', '300Mi')] } },
      300,
    ],
    ['adds sidecars', { spec: { containers, initContainers: [sidecar('50Mi')] } }, 150],
    [
      'counts sidecars before an init container with it',
      { spec: { containers, initContainers: [sidecar('50Mi'), requesting('i', '300Mi')] } },
      350,
    ],
    ['adds overhead', { spec: { containers, overhead: { memory: '20Mi' } } }, 120],
    [
      'leaves 0 at 0, whatever the overhead',
      { spec: { containers: [{ name: 'c' }], overhead: { memory: '20Mi' } } },
      0,
    ],
    ['is that of the pod level', { spec: { containers, resources: { requests: { memory: '70Mi' } } } }, 70],
    ['does not take an empty pod level for one', { spec: { containers, resources: {} } }, 100],
    [
      'is what is allocated while a resize is pending',
      { status: { containerStatuses: [{ name: 'c', allocatedResources: { memory: '64Mi' } }] } },
      64,
    ],
    [
      'is the limit where a manifest has no request yet',
      { spec: { containers: [{ name: 'c', resources: { limits: { memory: '90Mi' } } }] } },
      90,
    ],
    [
      'leaves ephemeral containers out',
      { spec: { containers, ephemeralContainers: [{ name: 'debug' }] } },
      100,
    ],
  ])('%s', async (_name, facts, expected) => {
    expect(await requestMi(facts)).toBe(expected);
  });
});

describe('the stats of a pod', () => {
  const usageMi = async (own: object, ownStats: object): Promise<number | null> => {
    const given = { pods: [own, pod('other')], summaries: [summary([ownStats, stats('other', 1)])] };
    const { first } = await rank(given);
    const usage = first?.pods.find((row) => row.pod === 'x')?.usageBytes;
    return usage === null || usage === undefined ? null : Number(usage) / MI;
  };

  test('are found by uid', async () => {
    expect(await usageMi(pod('x'), stats('x', 7))).toBe(7);
  });

  test('of an earlier pod of the same name are not its own', async () => {
    const earlier = stats('x', 7, { podRef: { namespace: 'a', name: 'x', uid: 'uid-before' } });
    expect(await usageMi(pod('x'), earlier)).toBeNull();
  });

  test('of a static pod have the uid that its mirror pod notes', async () => {
    const mirror = pod('x', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'hash' } } });
    const ofStatic = stats('x', 7, { podRef: { namespace: 'a', name: 'x', uid: 'hash' } });
    expect(await usageMi(mirror, ofStatic)).toBe(7);
  });

  test('without a pod cgroup are the sum of its containers', async () => {
    const memory = (mi: number) => ({ memory: { workingSetBytes: mi * MI } });
    const containers = [
      { name: 'c', ...memory(3) },
      { name: 'd', ...memory(4) },
    ];
    expect(await usageMi(pod('x'), { ...stats('x', 0), memory: undefined, containers })).toBe(7);
  });
});

describe('pods that are not ranked', () => {
  test('are counted by why, and the others ranked', async () => {
    const { first, nodes, stderr } = await rank({
      pods: [
        pod('x'),
        pod('done', { status: { phase: 'Succeeded' } }),
        pod('failed', { status: { phase: 'Failed', reason: 'Evicted' } }),
        pod('waiting', { spec: { nodeName: undefined }, status: { phase: 'Pending' } }),
        pod('young', { status: { startTime: '2026-01-01T12:00:01Z' } }),
        pod('elsewhere', { spec: { nodeName: 'n2' } }),
      ],
      summaries: [summary([stats('x', 1), stats('done', 1)])],
    });
    expect(first?.pods.map((row) => row.pod)).toEqual(['x']);
    expect(stderr).toBe(
      'evictrank: 5 pods left out: 2 finished, 1 not scheduled, 1 started after the summary was taken, 1 on nodes without a --summary\n',
    );
    expect(nodes[1]).toMatchObject({ node: 'n2', complete: false, pods: [{ pod: 'elsewhere', rank: null }] });
  });

  test('but have stats are named, for the order misses them', async () => {
    const { stderr } = await rank({ pods: [pod('x')], summaries: [summary([stats('x', 1), stats('y', 9)])] });
    expect(stderr).toContain('stats of 1 pod that --pods does not have, so the order misses it: a/y');
  });

  test.each<[string, PodFacts]>([
    ['mirror', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' } } }],
    ['static', { metadata: { annotations: { 'kubernetes.io/config.source': 'file' } } }],
    ['of a node', { metadata: { ownerReferences: [{ kind: 'Node', name: 'n1' }] } }],
    ['critical', { spec: { priority: 2_000_000_000 } }],
  ])('because they are %s stand last, protected', async (_name, facts) => {
    const { first } = await rank({
      pods: [pod('x', facts), pod('y')],
      summaries: [summary([stats('x', 900), stats('y', 1)])],
    });
    expect(first?.pods.map(({ pod: name, rank: place, group }) => [name, place, group])).toEqual([
      ['y', 1, 'within_request'],
      ['x', null, 'protected'],
    ]);
  });
});

test('the node is as its summary says, and its distances add up', async () => {
  const { first } = await rank({
    pods: [pod('x'), pod('y')],
    summaries: [summary([stats('x', 300), stats('y', 50)])],
  });
  expect(first).toMatchObject({ availableBytes: 1000 * MI, thresholdBytes: 100 * MI, complete: true });
  expect(first?.pods.map((row) => Number(row.distanceBytes) / MI)).toEqual([900, 1200]);
});

test('a priority class counts where the pod has its name alone', async () => {
  const classes = session.file('classes.json', {
    kind: 'List',
    items: [{ kind: 'PriorityClass', metadata: { name: 'low' }, value: -5 }],
  });
  const pods = [
    pod('x', { spec: { priorityClassName: 'low' } }),
    pod('y', { spec: { priorityClassName: 'odd' } }),
  ];
  const given = { pods, summaries: [summary([stats('x', 1), stats('y', 1)])] };
  const { first, stderr } = await rank(given, '--priority-classes', classes);
  expect(first?.pods.map((row) => [row.pod, row.priority])).toEqual([
    ['x', -5],
    ['y', 0],
  ]);
  expect(stderr).toContain('PriorityClass odd is not known');
});

test('amounts above 2^53 are printed with all their digits', async () => {
  const huge = '9223372036854775807';
  const own = pod('x', { spec: { containers: [requesting('c', huge)] } });
  const { stdout } = await rank({
    pods: [own],
    summaries: [summary([{ ...stats('x', 0), memory: { workingSetBytes: BigInt(huge) } }])],
  });
  expect(stdout).toContain(`"usageBytes": ${huge},`);
  expect(stdout).toContain(`"requestBytes": ${huge},`);
  expect(stdout).toContain('"overRequestBytes": 0,');
});

test('a request with a fraction is compared exactly', async () => {
  const own = (name: string, memory: string) =>
    pod(name, { spec: { containers: [requesting('c', memory)] } });
  const one = { workingSetBytes: 1 };
  const { first } = await rank({
    pods: [own('x', '1500m'), own('y', '500m')],
    summaries: [
      summary([
        { ...stats('x', 0), memory: one },
        { ...stats('y', 0), memory: one },
      ]),
    ],
  });
  expect(first?.pods.map((row) => [row.pod, row.group, row.overRequestBytes])).toEqual([
    ['y', 'exceeds_request', 0.5],
    ['x', 'within_request', -0.5],
  ]);
});

describe('the filesystem of images', () => {
  const used = (mi: number) => ({ usedBytes: mi * MI });
  const pods = [pod('x'), pod('y')];
  const podStats = [
    stats('x', 1, { containers: [{ name: 'c', rootfs: used(9), logs: used(1) }] }),
    stats('y', 1, { containers: [{ name: 'c', rootfs: used(1), logs: used(2) }] }),
  ];
  const node = { capacityBytes: 100, inodes: 10, availableBytes: 60 };
  const other = { capacityBytes: 200, inodes: 20, availableBytes: 50 };

  test.each<[string, object, string[], object]>([
    [
      'is found to be that of the node',
      { imageFs: node },
      [],
      { imageFilesystem: 'single', first: 'x', used: 10 },
    ],
    ['is found to be another', { imageFs: other }, [], { imageFilesystem: 'dedicated', first: 'y', used: 2 }],
    [
      'is found to hold images alone',
      { imageFs: other, containerFs: node },
      [],
      { imageFilesystem: 'split', first: 'x', used: 10 },
    ],
    [
      'is as told',
      { imageFs: node },
      ['--image-filesystem', 'dedicated'],
      { imageFilesystem: 'dedicated', first: 'y', used: 2 },
    ],
  ])('%s', async (_name, runtime, flags, expected) => {
    const given = { pods, summaries: [summary(podStats, { fs: node, runtime })] };
    const { first } = await rank(given, '--signal', 'disk', ...flags);
    expect(first).toMatchObject({ signal: 'nodefs.available', availableBytes: 60, thresholdBytes: null });
    const [row] = first?.pods ?? [];
    expect({
      imageFilesystem: first?.imageFilesystem,
      first: row?.pod,
      used: Number(row?.usageBytes) / MI,
    }).toEqual(expected);
  });

  test('has to be told where the summary does not tell', async () => {
    const { status, stderr } = await session.run(
      'rank',
      ...['--pods', session.file('pods.json', { kind: 'List', items: pods })],
      ...['--summary', session.file('summary.json', summary(podStats))],
      ...['--signal', 'disk'],
    );
    expect(stderr).toContain('give --image-filesystem single, dedicated or split');
    expect(status).toBe(2);
  });
});

describe('lists', () => {
  const files = (items: object) => ({
    list: session.file('list.json', items),
    stats: session.file('s.json', summary([stats('x', 1)])),
  });

  test.each<[string, object]>([
    ['of kubectl get', { kind: 'List', items: [pod('x')] }],
    ['of the API', { kind: 'PodList', items: [{ ...pod('x'), kind: undefined }] }],
    ['of one object', pod('x')],
  ])('%s are read', async (_name, content) => {
    const { list, stats: statsFile } = files(content);
    const { stdout } = await session.run('rank', '--pods', list, '--summary', statsFile, '--output', 'csv');
    expect(stdout).toContain(',x,');
  });

  test('with objects of other kinds leave those out', async () => {
    const { list, stats: statsFile } = files({
      kind: 'List',
      items: [{ kind: 'Service', metadata: {} }, pod('x')],
    });
    const { stdout, stderr, status } = await session.run('rank', '--pods', list, '--summary', statsFile);
    expect(stderr).toContain('list.json: items[0]: is a Service, not a Pod; left out');
    expect(stdout).toContain('a/x');
    expect(status).toBe(0);
  });

  test('of which one is unusable fail the command, though the rest is printed', async () => {
    const { list, stats: statsFile } = files({ kind: 'List', items: [pod('x')] });
    const broken = session.file('broken.json', '{');
    const { stdout, stderr, status } = await session.run(
      'rank',
      '--pods',
      list,
      '--summary',
      statsFile,
      broken,
    );
    expect(stderr).toMatch(/broken\.json: is not JSON/);
    expect(stdout).toContain('a/x');
    expect(status).toBe(1);
  });
});
