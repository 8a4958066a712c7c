import { describe, expect, it } from 'vitest';
import { nodeOf, podOf, snapshotOf } from './sample-snapshot.ts';

describe('a snapshot', () => {
  it('ranks on both bases, with the numbers that decided', () => {
    const pods = [podOf({ name: 'calm', usageBytes: 150 }), podOf({ name: 'spiky', usageBytes: 50 })];
    const [node] = snapshotOf([nodeOf({ pods })], { peaks: { spiky: 900 } }).nodes;
    expect(node?.pods.map(({ pod, now, peak }) => [pod.name, now.rank, peak.rank, peak.group])).toEqual([
      ['calm', 1, 2, 'within_request'],
      ['spiky', 2, 1, 'exceeds_request'],
    ]);
    expect(node?.pods[1]).toMatchObject({
      now: { usageBytes: 50, overRequestBytes: -150, usageRequestRatio: 0.25 },
      peak: { usageBytes: 900, overRequestBytes: 700, usageRequestRatio: 4.5 },
      timeOverRequestRatio: 0.25,
    });
  });

  it('never shows a peak below the usage of now', () => {
    const [node] = snapshotOf([nodeOf({ pods: [podOf({ name: 'a', usageBytes: 500 })] })], {
      peaks: { a: 400 },
    }).nodes;
    expect(node?.pods[0]?.peak.usageBytes).toBe(500);
  });

  it('measures the distance from the headroom', () => {
    const pods = [podOf({ name: 'first', usageBytes: 300 }), podOf({ name: 'second', usageBytes: 100 })];
    const [node] = snapshotOf([nodeOf({ pods })]).nodes;
    expect(node).toMatchObject({ availableBytes: 500, thresholdBytes: 100, headroomBytes: 400 });
    expect(node?.pods.map((pod) => pod.distanceBytes)).toEqual([400, 700]);
  });

  it('has no ratio for a pod without a request', () => {
    const pods = [podOf({ name: 'a', requestBytes: 0, usageBytes: 5 })];
    const [node] = snapshotOf([nodeOf({ pods })]).nodes;
    expect(node?.pods[0]?.now).toMatchObject({ overRequestBytes: 5, usageRequestRatio: undefined });
  });

  it.each([
    ['no pod has usage', [podOf({ name: 'a', usageBytes: undefined })]],
    ['a request is unknown', [podOf({ name: 'a' }), podOf({ name: 'b', requestBytes: undefined })]],
  ])('ranks nothing on a node where %s', (_name, pods) => {
    const [node] = snapshotOf([nodeOf({ pods })]).nodes;
    expect(node).toMatchObject({ complete: false, qosOrderInversions: undefined });
    for (const { now, distanceBytes } of node?.pods ?? []) {
      expect(now).toMatchObject({ group: undefined, rank: undefined });
      expect(distanceBytes).toBeUndefined();
    }
  });

  it('ranks a running pod without usage first where others have it, and leaves the distances behind it unknown', () => {
    const pods = [podOf({ name: 'a' }), podOf({ name: 'silent', usageBytes: undefined })];
    const [node] = snapshotOf([nodeOf({ pods })]).nodes;
    expect(node?.pods.map(({ pod, now, distanceBytes }) => [pod.name, now.group, distanceBytes])).toEqual([
      ['silent', 'no_stats', 400],
      ['a', 'within_request', undefined],
    ]);
  });

  it('keeps the distances behind a pod that has not started', () => {
    const pods = [podOf({ name: 'a' }), podOf({ name: 'new', usageBytes: undefined, phase: 'Pending' })];
    const [node] = snapshotOf([nodeOf({ pods })]).nodes;
    expect(node?.pods.map((pod) => pod.distanceBytes)).toEqual([400, 400]);
  });

  it('leaves available memory unknown where the node does not say', () => {
    const [node] = snapshotOf([nodeOf({ workingSetBytes: undefined, pods: [podOf({ name: 'a' })] })]).nodes;
    expect(node).toMatchObject({ complete: true, availableBytes: undefined, headroomBytes: undefined });
    expect(node?.pods[0]).toMatchObject({ now: { rank: 1 }, distanceBytes: undefined });
  });

  it('never ranks a protected pod, and lists it last in the order the kubelet would skip it', () => {
    const pods = [
      podOf({ name: 'static', isStatic: true }),
      podOf({ name: 'critical', priority: 2_000_000_000 }),
      podOf({ name: 'a', priority: 1_999_999_999 }),
    ];
    const [node] = snapshotOf([nodeOf({ pods })]).nodes;
    expect(node?.pods.map(({ pod, now }) => [pod.name, now.rank ?? now.group])).toEqual([
      ['a', 1],
      ['static', 'protected'],
      ['critical', 'protected'],
    ]);
  });

  it.each([
    [
      'a Guaranteed pod of low priority before two Burstable ones',
      ['Guaranteed', 'Burstable', 'Burstable'],
      [-1, 0, 0],
      1,
    ],
    ['classes in the order one assumes', ['BestEffort', 'Burstable', 'Guaranteed'], [0, 1, 2], 0],
    ['the reverse of it', ['Guaranteed', 'Burstable', 'BestEffort'], [0, 1, 2], 2],
    ['tied pods of different classes', ['Guaranteed', 'Burstable'], [0, 0], 0],
  ] as const)('counts inversions of the QoS order: %s', (_name, classes, priorities, count) => {
    const pods = classes.map((qosClass, i) =>
      podOf({ name: `p${i}`, qosClass, priority: priorities[i] ?? 0 }),
    );
    expect(snapshotOf([nodeOf({ pods })]).nodes[0]?.qosOrderInversions).toBe(count);
  });

  it('sums up workloads over nodes', () => {
    const workload = { kind: 'Deployment', name: 'api' };
    const on = (node: string, requestBytes: number) =>
      nodeOf({ name: node, pods: [podOf({ name: `api-${node}`, node, workload, requestBytes })] });
    const { workloads } = snapshotOf([on('n1', 100), on('n2', 300)], { peaks: { api: 1_048_576 } });
    expect(workloads).toEqual([
      {
        workload: { cluster: undefined, namespace: 'default', ...workload },
        replicas: 2,
        requestBytes: 300,
        peakBytes: 1_048_576,
        // The floor binds: a peak of one MiB and 15 % would be 2 MiB.
        recommendedRequestBytes: 16_777_216,
        abstention: undefined,
        isStatic: false,
        seenReplicas: 2,
        hourly: {
          peakBytes: 1_048_576,
          medianBytes: 1_048_576,
          p95Bytes: 1_048_576,
          p99Bytes: 1_048_576,
          observedHours: 168,
          spanHours: 168,
          timeOverRequestRatio: 1,
        },
      },
    ]);
  });

  it('counts pods by priority', () => {
    const pods = [
      podOf({ name: 'a', priority: 5, priorityClass: 'x' }),
      podOf({ name: 'b' }),
      podOf({ name: 'c' }),
    ];
    expect(snapshotOf([nodeOf({ pods })]).priorities).toEqual([
      { priority: 5, priorityClass: 'x', pods: 1 },
      { priority: 0, priorityClass: undefined, pods: 2 },
    ]);
  });
});
