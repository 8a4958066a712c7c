import { describe, expect, it } from 'vitest';
import { inputCatalogue, inputIds } from '../../src/inputs/catalogue.ts';
import { buildCluster } from '../../src/model/build.ts';
import type { Pod } from '../../src/model/pod.ts';
import { collected } from './collected.ts';

const settings = { priorityClasses: new Map([['high', 1000]]) };
const ksmRequests = { sources: { pod_request: 1 } } as const;

const api = { namespace: 'prod', pod: 'api', uid: 'u-1' };
const info = { ...api, node: 'n1', created_by_kind: 'ReplicaSet', created_by_name: 'api-7d9f' };
const running = [[{ ...api, phase: 'Running' }]] as const;

function podsOf(...input: Parameters<typeof collected>): readonly Pod[] {
  return buildCluster(collected(...input), settings).nodes.flatMap((node) => node.pods);
}

function kindsOf(...input: Parameters<typeof collected>): string[] {
  return buildCluster(collected(...input), settings).problems.map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );
}

describe('a cluster', () => {
  it('joins everything known of a pod', () => {
    const pods = podsOf(
      {
        pods: [[{ ...info, priority_class: 'high' }]],
        pod_phase: running,
        pod_qos: [[{ ...api, qos_class: 'Burstable' }]],
        pod_usage: [[{ namespace: 'prod', pod: 'api' }, 300]],
        pod_request: [[api, 200]],
        replicaset_owner: [
          [{ namespace: 'prod', replicaset: 'api-7d9f', owner_kind: 'Deployment', owner_name: 'api' }],
        ],
      },
      ksmRequests,
    );
    expect(pods).toEqual([
      {
        cluster: undefined,
        namespace: 'prod',
        name: 'api',
        uid: 'u-1',
        node: 'n1',
        phase: 'Running',
        qosClass: 'Burstable',
        priority: 1000,
        priorityClass: 'high',
        isStatic: false,
        workload: { kind: 'Deployment', name: 'api' },
        usageBytes: 300,
        requestBytes: 200,
      },
    ]);
  });

  it('leaves finished pods out, though their requests are still there', () => {
    expect(podsOf({ pods: [[info]], pod_request: [[api, 200]] }, ksmRequests)).toEqual([]);
  });

  it.each([
    ['Running before Pending', { a: 'Pending', b: 'Running' }, { a: 9, b: 1 }, 'b'],
    ['the newer of two running', { a: 'Running', b: 'Running' }, { a: 1, b: 9 }, 'b'],
    ['the living one', { a: 'Running' }, { a: 1, b: 9 }, 'a'],
  ])('shows one generation of a recreated pod: %s', (_name, phases, created, winner) => {
    const generation = (uid: string) => ({ ...api, uid });
    const pods = podsOf({
      pods: ['a', 'b'].map((uid) => [{ ...info, uid }] as const),
      pod_phase: Object.entries(phases).map(([uid, phase]) => [{ ...generation(uid), phase }] as const),
      pod_created: Object.entries(created).map(([uid, at]) => [generation(uid), at] as const),
    });
    expect(pods.map((pod) => pod.uid)).toEqual([winner]);
  });

  it('takes the usage of the living generation where two cgroups overlap', () => {
    const name = { namespace: 'prod', pod: 'api' };
    const [pod] = podsOf({
      pods: [[{ ...info, uid: 'aa-11' }]],
      pod_phase: [[{ ...api, uid: 'aa-11', phase: 'Running' }]],
      pod_usage: [[name, 900]],
      pod_usage_overlap: [
        [{ ...name, id: '/kubepods.slice/kubepods-podbb_22.slice' }, 900],
        [{ ...name, id: '/kubepods.slice/kubepods-podaa_11.slice' }, 100],
      ],
    });
    expect(pod?.usageBytes).toBe(100);
  });

  it('keeps pods of one name apart by namespace and by cluster', () => {
    const rows = (cluster: string, namespace: string) => ({
      ...info,
      cluster,
      namespace,
      uid: cluster + namespace,
    });
    const identities = [rows('a', 'x'), rows('a', 'y'), rows('b', 'x')];
    const cluster = buildCluster(
      collected(
        {
          pods: identities.map((labels) => [labels] as const),
          pod_phase: identities.map((labels) => [{ ...labels, phase: 'Running' }] as const),
          pod_usage: identities.map((labels, i) => [labels, i + 1] as const),
        },
        { clusterLabel: 'cluster' },
      ),
      settings,
    );
    expect(
      cluster.nodes.map((node) => [node.cluster, node.name, node.pods.map((pod) => pod.usageBytes)]),
    ).toEqual([
      ['a', 'n1', [1, 2]],
      ['b', 'n1', [3]],
    ]);
  });

  describe('requests', () => {
    const base = { pods: [[info]], pod_phase: running } as const;
    const init = (container: string, bytes: number) => [{ ...api, container }, bytes] as const;

    it.each([
      ['the containers', { pod_request: [[api, 100]] }, 100],
      ['zero for a pod without any', { pod_request: [[{ ...api, uid: 'other' }, 100]] }, 0],
      [
        'the largest init container',
        { pod_request: [[api, 100]], init_request: [init('a', 300), init('b', 200)] },
        300,
      ],
      [
        'sidecars beside the containers',
        {
          pod_request: [[api, 100]],
          init_request: [init('a', 50)],
          sidecars: [[{ ...api, container: 'a' }]],
        },
        150,
      ],
      ['overhead on top', { pod_request: [[api, 100]], pod_overhead: [[api, 7]] }, 107],
      ['no overhead on zero', { pod_request: [[{ ...api, uid: 'other' }, 1]], pod_overhead: [[api, 7]] }, 0],
    ] as const)('of kube-state-metrics: %s', (_name, rows, bytes) => {
      expect(podsOf({ ...base, ...rows }, ksmRequests)[0]?.requestBytes).toBe(bytes);
    });

    it.each([
      ['as the scheduler sums it', { pod_request: [[api, 100]] }, 100],
      ['zero for a pod without any', { pod_request: [[{ ...api, pod: 'other' }, 100]] }, 0],
      ['zero where there is only overhead', { pod_request: [[api, 7]], pod_overhead: [[api, 7]] }, 0],
    ] as const)('of the scheduler: %s', (_name, rows, bytes) => {
      expect(podsOf({ ...base, ...rows })[0]?.requestBytes).toBe(bytes);
    });

    it('are unknown, not zero, where no source has any', () => {
      expect(podsOf(base)[0]?.requestBytes).toBeUndefined();
    });

    it('whose order of init containers would matter are reported', () => {
      const rows = {
        ...base,
        pod_request: [[api, 10]],
        init_request: [init('mesh', 100), init('migrate', 500)],
        sidecars: [[{ ...api, container: 'mesh' }]],
      } as const;
      expect(podsOf(rows, ksmRequests)[0]?.requestBytes).toBe(600);
      expect(kindsOf(rows, ksmRequests)).toContain('sidecar_order_unknown init_request');
    });
  });

  describe('priority', () => {
    const base = { pod_phase: running } as const;
    it.each([
      [
        'as the scheduler reports it',
        { pods: [[{ ...info, priority_class: 'high' }]], pod_priority: [[{ ...api, priority: '-5' }]] },
        -5,
      ],
      ['through the class', { pods: [[{ ...info, priority_class: 'high' }]] }, 1000],
      [
        'through a built-in class',
        { pods: [[{ ...info, priority_class: 'system-node-critical' }]] },
        2_000_001_000,
      ],
      ['0 without a class', { pods: [[info]] }, 0],
    ] as const)('is %s', (_name, rows, priority) => {
      expect(podsOf({ ...base, ...rows })[0]?.priority).toBe(priority);
    });

    it('of an unmapped class is 0 and reported', () => {
      const rows = { ...base, pods: [[{ ...info, priority_class: 'gold' }]] } as const;
      expect(podsOf(rows)[0]?.priority).toBe(0);
      expect(kindsOf(rows)).toContain('priority_class_unmapped gold');
    });
  });

  it.each([
    ['an owner of kind Node', { pods: [[info]], static_pods: [[api]] }],
    ['a creator of kind Node', { pods: [[{ ...info, created_by_kind: 'Node' }]] }],
  ] as const)('knows a static pod by %s', (_name, rows) => {
    expect(podsOf({ ...rows, pod_phase: running })[0]?.isStatic).toBe(true);
  });

  it.each([
    ['its node label', { node: 'n1' }],
    ['an instance that is its name', { instance: 'n1' }],
    ['an instance that is its address and port', { instance: '10.0.0.1:10250' }],
    ['a node label that is its address', { node: '10.0.0.1' }],
  ])('finds the working set of a node by %s', (_name, labels) => {
    const { nodes } = buildCluster(
      collected({
        node_info: [[{ node: 'n1', internal_ip: '10.0.0.1' }]],
        node_working_set: [[labels, 42]],
      }),
      settings,
    );
    expect(nodes).toMatchObject([{ name: 'n1', workingSetBytes: 42 }]);
  });

  it.each([
    ['nothing where the label is missing', [{ node: 'n1' }], undefined],
    ['what the label says', [{ node: 'n1', kubelet_version: 'v1.29.4' }], 'v1.29.4'],
    [
      'the later one of two, as numbers and not as text',
      [
        { node: 'n1', kubelet_version: 'v1.9.0' },
        { node: 'n1', kubelet_version: 'v1.10.0' },
        { node: 'n1', kubelet_version: '' },
      ],
      'v1.10.0',
    ],
  ])("takes for a node's kubelet %s", (_name, series, kubeletVersion) => {
    const { nodes } = buildCluster(collected({ node_info: series.map((labels) => [labels]) }), settings);
    expect(nodes).toMatchObject([{ name: 'n1', kubeletVersion }]);
  });

  it('marks a node where no pod has usage, and says so', () => {
    const rows = { pods: [[info]], pod_phase: running } as const;
    expect(buildCluster(collected(rows), settings).nodes).toMatchObject([{ hasUsageData: false }]);
    expect(kindsOf(rows)).toContain('node_without_usage n1');
  });

  it('takes a node whose only pods have not started for what it is', () => {
    const rows = { pods: [[info]], pod_phase: [[{ ...api, phase: 'Pending' }]] } as const;
    expect(buildCluster(collected(rows), settings).nodes).toMatchObject([{ hasUsageData: true }]);
  });

  it('reports an input that should have data and has none', () => {
    expect(kindsOf({ pods: [[info]], pod_phase: running })).toEqual(
      expect.arrayContaining([
        'input_empty pod_usage',
        'input_empty pod_request',
        'input_empty node_working_set',
      ]),
    );
    expect(kindsOf({ pods: [[info]], pod_phase: running })).not.toContain('input_empty sidecars');
  });

  it.each([
    [undefined, undefined],
    [29_000, undefined],
    [-29_000, undefined],
    [31_000, '31 s ahead'],
    [-3_600_000, '3600 s behind'],
  ])('whose clock is ahead by %s ms is told %s', (clockAheadMs, told) => {
    const inputs = { ...collected({ pods: [[info]], pod_phase: running }), clockAheadMs };
    const { problems } = buildCluster(inputs, settings);
    const clock = problems.filter(({ kind }) => kind === 'clock_differs').map(({ message }) => message);
    expect(clock).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
  });

  it('tells renamed labels from a recreated pod', () => {
    const generations = ['u-1', 'u-2'].map((uid) => ({ ...info, uid }));
    const rows = {
      pods: generations.map((labels) => [labels] as const),
      pod_phase: generations.map((labels) => [{ ...labels, phase: 'Running' }] as const),
    };
    expect(kindsOf(rows)).toContain('pod_generations_overlap pods');
    expect(kindsOf(rows)).not.toContain('labels_renamed pods');
    expect(kindsOf({ ...rows, renamed_labels: [[{}, 5]] })).toContain('labels_renamed pods');
  });

  describe('of which samples were dropped', () => {
    const other = { ...api, pod: 'web', uid: 'u-2' };
    const two = {
      pods: [[info], [{ ...info, ...other }]],
      pod_phase: [[{ ...api, phase: 'Running' }], [{ ...other, phase: 'Running' }]],
      pod_usage: [[other, 100]],
      pod_request: [
        [api, 50],
        [other, 50],
      ],
    } as const;

    it('tells a pod whose usage is lost from one without', () => {
      const none = buildCluster(collected(two, ksmRequests), settings).nodes[0];
      expect(none).toMatchObject({ hasUsageData: true, podsWithLostSamples: 0 });
      const dropped = { pod_usage: [{ namespace: 'prod', pod: 'api' }] };
      const lost = buildCluster(collected(two, { ...ksmRequests, dropped }), settings).nodes[0];
      expect(lost).toMatchObject({ hasUsageData: true, podsWithLostSamples: 1 });
    });

    it.each([
      ['its phase', { ...two, pod_phase: [two.pod_phase[1]] }, { pod_phase: [{ ...api, phase: 'Running' }] }],
      ['itself', { ...two, pods: [two.pods[1]] }, { pods: [info] }],
    ] as const)('does not take a node for whole of which a pod lost %s', (_what, rows, dropped) => {
      const [node] = buildCluster(collected(rows, { ...ksmRequests, dropped }), settings).nodes;
      expect(node).toMatchObject({ podsWithLostSamples: 1, pods: [{ name: 'web' }] });
    });

    it('knows a pod by its valid phase where a series of another scrape was dropped', () => {
      const dropped = { pod_phase: [{ ...api, phase: 'Pending' }] };
      const [node] = buildCluster(collected(two, { ...ksmRequests, dropped }), settings).nodes;
      expect(node).toMatchObject({ podsWithLostSamples: 0, pods: [{ name: 'api' }, { name: 'web' }] });
    });

    it.each(['pod_request', 'init_request', 'pod_overhead', 'sidecars'] as const)(
      'does not take a lost %s for none',
      (id) => {
        const dropped = { [id]: [api] };
        const rows = id === 'pod_request' ? { ...two, pod_request: [[other, 50] as const] } : two;
        const pods = podsOf(rows, { ...ksmRequests, dropped });
        expect(pods.map(({ name, requestBytes }) => [name, requestBytes])).toEqual([
          ['api', undefined],
          ['web', 50],
        ]);
      },
    );

    it('says how many, of which query and whose', () => {
      const dropped = { node_capacity: [{ node: 'n1' }], pod_usage: [api] };
      expect(buildCluster(collected(two, { ...ksmRequests, dropped }), settings).problems).toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({
            kind: 'samples_dropped',
            subject: 'pod_usage',
            message: expect.stringContaining('1 of 2 samples of pod_memory_working_set_bytes'),
          }),
          expect.objectContaining({
            kind: 'samples_dropped',
            subject: 'node_capacity',
            message: expect.stringMatching(/^1 of 1 samples of kube_node_status_capacity .*: n1\./),
          }),
        ]),
      );
    });
  });
});

describe('a store of several clusters', () => {
  const inCluster = (cluster: string) => {
    const pod = { ...api, cluster };
    return {
      pods: [{ ...info, cluster }],
      pod_phase: [{ ...pod, phase: 'Running' }],
      pod_qos: [{ ...pod, qos_class: 'Burstable' }],
      pod_usage: [pod],
      pod_request: [pod],
      node_info: [{ cluster, node: 'n1' }],
      node_capacity: [{ cluster, node: 'n1' }],
      node_allocatable: [{ cluster, node: 'n1' }],
      node_working_set: [{ cluster, node: 'n1' }],
    };
  };
  const required = Object.keys(inCluster('a')) as (keyof ReturnType<typeof inCluster>)[];
  const withGap = (id: string) =>
    Object.fromEntries(
      required.map((row) => [
        row,
        ['a', 'b']
          .filter((cluster) => row !== id || cluster === 'a')
          .flatMap((cluster) => inCluster(cluster)[row].map((labels) => [labels] as const)),
      ]),
    );

  it('covers every input that must have data', () => {
    const must = inputIds.filter((id) => inputCatalogue[id].whenEmpty === 'problem');
    expect(new Set(required)).toEqual(new Set(must));
  });

  it.each(required)('tells which of them lacks %s', (id) => {
    const cluster = buildCluster(
      collected(withGap(id), { ...ksmRequests, clusterLabel: 'cluster' }),
      settings,
    );
    const empty = cluster.problems.filter(({ kind }) => kind === 'input_empty');
    expect(empty).toMatchObject([{ subject: id, message: expect.stringContaining('of cluster b,') }]);
  });

  it.each(['pods', 'pod_phase'])('does not take one without %s for an empty one', (id) => {
    const { nodes } = buildCluster(
      collected(withGap(id), { ...ksmRequests, clusterLabel: 'cluster' }),
      settings,
    );
    expect(nodes.map(({ cluster, hasUsageData }) => [cluster, hasUsageData])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('has nothing to tell where none lacks anything, and series without the label are no cluster', () => {
    const rows = {
      ...withGap('none'),
      node_working_set: [
        [{ cluster: 'a', node: 'n1' }],
        [{ cluster: 'b', node: 'n1' }],
        [{ node: 'elsewhere' }],
      ] as const,
    };
    const { problems } = buildCluster(collected(rows, { ...ksmRequests, clusterLabel: 'cluster' }), settings);
    expect(problems).toEqual([]);
  });
});
