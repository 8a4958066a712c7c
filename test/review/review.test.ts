import { describe, expect, test } from 'vitest';
import { parseQuantity, quantityOfBytes } from '../../src/foundation/quantity.ts';
import type { PodSpec } from '../../src/kubelet/pod-spec.ts';
import type { Pod } from '../../src/model/pod.ts';
import { problem } from '../../src/model/problem.ts';
import { summarizeHourlyPeaks } from '../../src/review/hourly-peaks.ts';
import { noFacts, type ReviewFacts } from '../../src/review/placed.ts';
import { reviewCapacity } from '../../src/review/review.ts';
import { sizeWorkload } from '../../src/review/workload-review.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';
import { mi, reviewOf, settings } from './sample-review.ts';

describe('confidence', () => {
  test.each([
    ['high with every hour', 168, 4, 'high'],
    ['high from six of seven days on', 143, 4, 'high'],
    ['medium below', 142, 4, 'medium'],
    ['medium from 40 % on', 68, 4, 'medium'],
    ['low below', 67, 4, 'low'],
    ['lowered by replicas that are not seen', 168, 3, 'medium'],
  ])('is %s', (_what, hours, seenReplicas, confidence) => {
    const summary = {
      workload: { cluster: undefined, namespace: 'shop', kind: 'Deployment', name: 'a' },
      isStatic: false,
      replicas: 4,
      seenReplicas,
      requestBytes: mi(100),
      hourly: summarizeHourlyPeaks(Array<number>(hours).fill(mi(50)), mi(100)),
      oomKills: 0,
      hasMemoryAutoscaler: false,
      initNeedBytes: undefined,
      leak: undefined,
    };
    expect(sizeWorkload(summary, [], noFacts, settings).confidence).toBe(confidence);
  });
});

/** A facts table in which every pod asks for a core, unless it is named. */
function factsWith(options: {
  readonly unknownPods?: readonly string[];
  readonly cpuCores?: number;
}): ReviewFacts {
  const spec: PodSpec = {
    containers: [{ name: 'app', requests: { memory: quantityOfBytes(mi(100)), cpu: parseQuantity('1') } }],
    initContainers: [],
  };
  return {
    ...noFacts,
    source: 'prometheus',
    gaps: [],
    specOf: ({ name }) => (options.unknownPods?.includes(name) === true ? undefined : spec),
    nodeCpuCores: () => options.cpuCores,
  };
}

describe('the number of nodes needed', () => {
  const pods = ['a-1', 'a-2', 'a-3', 'a-4'].map((name) =>
    podOf({ name, workload: { kind: 'Deployment', name: 'a' }, requestBytes: mi(100), usageBytes: mi(50) }),
  );
  const nodes = ['n1', 'n2', 'n3'].map((name, i) =>
    nodeOf({ name, capacityBytes: mi(1000), allocatableBytes: mi(1000), pods: i === 0 ? pods : [] }),
  );
  const review = (facts: ReviewFacts, given = nodes) => reviewCapacity(snapshotOf(given), facts, settings);

  test('minds cpu, which may be short before memory', () => {
    const { cluster } = review(factsWith({ cpuCores: 2 }));
    expect(cluster.nodesNeeded?.now).toEqual({ nodes: 2, unplaced: 0 });
  });

  test('takes a pod that shows no containers yet for one like the others of its workload', () => {
    const { cluster } = review(factsWith({ cpuCores: 2, unknownPods: ['a-4'] }));
    expect(cluster.nodesNeeded?.now).toEqual({ nodes: 2, unplaced: 0 });
  });

  test.each<[string, ReviewFacts, readonly (typeof nodes)[number][], string]>([
    ['of a node', factsWith({}), nodes, 'the cpu of 3 of 3 nodes is not known'],
    [
      'of pods',
      factsWith({ cpuCores: 2, unknownPods: ['a-1', 'a-2', 'a-3', 'a-4'] }),
      nodes,
      'the cpu request of 4 of 4 pods is not known',
    ],
    [
      'of memory',
      factsWith({ cpuCores: 2 }),
      [...nodes, nodeOf({ name: 'n4', allocatableBytes: undefined })],
      'the memory of 1 of 4 nodes is not known',
    ],
  ])('is not estimated where something is not known %s, and that is said', (_what, facts, given, gap) => {
    const { cluster, findingGaps } = review(facts, [...given]);
    expect(cluster.nodesNeeded).toBeUndefined();
    expect(findingGaps).toEqual([`The number of nodes needed is not estimated: ${gap}.`]);
  });
});

describe('PriorityClasses whose values nobody told', () => {
  const pod = (name: string, facts: Partial<Pod>) => podOf({ name, requestBytes: mi(100), ...facts });
  const unmapped = problem('priority_class_unmapped', { subject: 'gold', message: '', remedy: '' });
  const findings = (pods: readonly Pod[], isUnmapped: boolean) => {
    const snapshot = snapshotOf([nodeOf({ pods })]);
    const given = { ...snapshot, problems: isUnmapped ? [unmapped] : [] };
    const { cluster, workloads } = reviewCapacity(given, { ...noFacts, source: 'prometheus' }, settings);
    return [...cluster.findings, ...workloads.flatMap((one) => one.findings)]
      .map(({ id }) => id)
      .filter((id) => id === 'priority_inflation' || id === 'guaranteed_low_priority');
  };

  test('make no inflation of the class-less default', () => {
    const pods = [
      pod('a', {}),
      pod('b', {}),
      pod('c', {}),
      pod('d', { priority: -10, priorityClass: 'low' }),
      pod('e', { priorityClass: 'gold' }),
    ];
    expect(findings(pods, true)).toEqual([]);
    expect(findings(pods.slice(0, 4), false)).toEqual(['priority_inflation']);
  });

  test('do not make a pod only look safe', () => {
    const pods = [
      pod('safe', { qosClass: 'Guaranteed', priorityClass: 'gold', usageBytes: mi(50) }),
      pod('other', { priority: 10, usageBytes: mi(50) }),
    ];
    expect(findings(pods, true)).toEqual([]);
    expect(findings(pods, false)).toEqual(['guaranteed_low_priority']);
  });
});

test('what containers request together once limits move along is told beside the recommendation, not as it', () => {
  const both: PodSpec = {
    containers: ['a', 'b'].map((name) => ({
      name,
      requests: { memory: quantityOfBytes(mi(200)) },
      limits: { memory: quantityOfBytes(mi(200)) },
    })),
    initContainers: [],
  };
  // They peak at different times: 90Mi and 60Mi of the 100Mi that the pod ever used.
  const review = reviewOf({ name: 'api', requestBytes: mi(400), usageBytes: mi(90) }, both, {
    containerHours: () =>
      new Map([
        ['a', [mi(90), ...Array<number>(167).fill(mi(10))]],
        ['b', [...Array<number>(167).fill(mi(10)), mi(60)]],
      ]),
  });
  const [workload] = review.workloads;
  expect(workload?.recommendation.requestBytes).toBe(mi(115));
  expect(workload?.effect?.changeBytes).toBe(mi(115 - 400));
  expect(workload?.patchedRequestBytes).toBe(mi(104 + 69));
});

describe('the memory that the pods of a node use', () => {
  const finding = (facts: Partial<Parameters<typeof nodeOf>[0]>, pods: readonly (number | undefined)[]) => {
    const node = nodeOf({
      capacityBytes: mi(2_000),
      allocatableBytes: mi(2_000),
      workingSetBytes: mi(500),
      pods: pods.map((usageBytes, index) =>
        podOf({ name: `p${index}`, usageBytes, requestBytes: mi(1_900) / pods.length }),
      ),
      ...facts,
    });
    return reviewCapacity(snapshotOf([node]), noFacts, settings).nodes[0]?.findings.map(({ id }) => id);
  };
  const small = Array<number>(20).fill(mi(10));

  test('is known where all pods have stats, or all but the few that start or end', () => {
    expect(finding({}, small)).toEqual(['scheduling_problem']);
    expect(finding({}, [...small.slice(1), undefined])).toEqual(['scheduling_problem']);
  });

  test.each<[string, Partial<Parameters<typeof nodeOf>[0]>, readonly (number | undefined)[]]>([
    ['a third of the pods has no stats', {}, [...small, ...Array<undefined>(10).fill(undefined)]],
    ['the usage of one came as NaN', { podsWithLostSamples: 1 }, [...small.slice(1), undefined]],
    ['none has', { hasUsageData: false }, small.map(() => undefined)],
  ])('is not known, and nothing is found, where %s', (_name, facts, pods) => {
    expect(finding(facts, pods)).toEqual([]);
  });
});
