import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainPod, type PodExplanation } from '../../src/explain/pod-explanation.ts';
import { compareText } from '../../src/foundation/text-order.ts';
import type { Node } from '../../src/model/node.ts';
import type { Pod } from '../../src/model/pod.ts';
import { problem } from '../../src/model/problem.ts';
import type { RankedNode, RankedPod, Snapshot } from '../../src/snapshot/snapshot.ts';
import { assertProperty } from '../property.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';
import { arbitrarySnapshot } from './arbitrary-nodes.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

type Facts = Partial<Pod> & { name: string };

function explain(name: string, pods: readonly Facts[], node: Partial<Node> = {}): PodExplanation {
  const snapshot = snapshotOf([nodeOf({ name: 'node-7', ...node, pods: pods.map(podOf) })]);
  return explainIn(snapshot, name);
}

function explainIn(snapshot: Snapshot, name: string): PodExplanation {
  for (const node of snapshot.nodes) {
    const ranked = node.pods.find(({ pod }) => pod.name === name);
    if (ranked !== undefined) return explainPod(snapshot, { ranked, node });
  }
  throw new Error(`no pod ${name}`);
}

const over = { usageBytes: 1408 * MIB, requestBytes: GIB };
const under = { usageBytes: 100 * MIB, requestBytes: 200 * MIB };

const summaries: readonly { name: string; pods: readonly Facts[]; node?: Partial<Node>; summary: string }[] =
  [
    {
      name: 'the only pod, over its request',
      pods: [{ name: 'it', ...over }],
      summary:
        'The only pod on node-7 that the kubelet could evict: it uses 384Mi more than the 1Gi it requests.',
    },
    {
      name: 'the only evictable pod beside a protected one',
      pods: [
        { name: 'it', ...under },
        { name: 'proxy', priority: 2_000_001_000 },
      ],
      summary: 'The only pod on node-7 that the kubelet could evict: it is under its request.',
    },
    {
      name: 'a pod under its request whose priority nobody undercuts',
      pods: [
        { name: 'it', ...under },
        { name: 'a', ...over },
        { name: 'b', ...over },
        { name: 'c', ...under, priority: 7 },
      ],
      summary:
        'Third of 4 on node-7: it is under its request, but no other pod there has a lower priority; before it go 2 pods over their request.',
    },
    {
      name: 'the same where a protected pod has a lower priority',
      pods: [
        { name: 'it', ...under },
        { name: 'a', ...over },
        { name: 'c', ...under, priority: 7 },
        { name: 'static', isStatic: true, priority: -5 },
      ],
      summary:
        'Second of 3 on node-7: it is under its request, but no other pod within its request has a lower priority; before it goes 1 pod over its request.',
    },
    {
      name: 'the first, alone over its request',
      pods: [
        { name: 'it', ...over },
        { name: 'c', ...under },
      ],
      summary:
        'First of 2 on node-7: it uses 384Mi more than the 1Gi it requests, and no other pod there does that.',
    },
    {
      name: 'the first of several over their request, by priority',
      pods: [
        { name: 'it', ...over, priority: -1 },
        { name: 'a', ...over },
      ],
      summary:
        'First of 2 on node-7: it uses 384Mi more than the 1Gi it requests, and of 2 pods over their request it has the lowest priority.',
    },
    {
      name: 'the first of several over their request, by amount',
      pods: [
        { name: 'it', ...over },
        { name: 'a', usageBytes: 1100 * MIB, requestBytes: GIB },
      ],
      summary:
        'First of 2 on node-7: it uses 384Mi more than the 1Gi it requests, and of 2 pods over their request none has a lower priority and none of the others with that priority is further over its request.',
    },
    {
      name: 'no request at all',
      pods: [
        { name: 'it', usageBytes: 50 * MIB, requestBytes: 0 },
        { name: 'a', ...over, priority: -1 },
      ],
      summary:
        'Last of 2 on node-7: it requests no memory, so all of the 50Mi it uses is over its request; before it goes 1 pod over its request with a lower priority.',
    },
    {
      name: 'no memory figures',
      pods: [
        { name: 'it', usageBytes: undefined },
        { name: 'a', ...over },
      ],
      summary:
        'First of 2 on node-7: there are no memory figures for it, and the kubelet takes such pods first, and it is the only one there.',
    },
    {
      name: 'not started yet',
      pods: [
        { name: 'it', usageBytes: undefined, phase: 'Pending', priority: 3 },
        { name: 'a', usageBytes: undefined, phase: 'Pending' },
        { name: 'b', ...over },
      ],
      summary:
        'Second of 3 on node-7: it has not started, so there are no memory figures for it, and the kubelet takes such pods first; before it goes 1 pod without memory figures with a lower priority.',
    },
    {
      name: 'a tie',
      pods: [
        { name: 'it', ...under },
        { name: 'a', ...under },
        { name: 'b', ...under },
        { name: 'c', ...over },
      ],
      summary:
        'Second of 4 on node-7 (a place it shares with 2 others): it is under its request, but no other pod there has a lower priority; before it goes 1 pod over its request.',
    },
    {
      name: 'the first of a node where nobody is over its request',
      pods: [
        { name: 'it', ...under },
        { name: 'a', ...under, priority: 1 },
      ],
      summary:
        'First of 2 on node-7: it is under its request, but no pod there is over its request, and of 2 pods within their request it has the lowest priority.',
    },
    {
      name: 'exactly at its request, the last one',
      pods: [
        { name: 'it', usageBytes: GIB, requestBytes: GIB, priority: 5 },
        { name: 'gone', usageBytes: undefined },
        { name: 'a', ...over },
        { name: 'b', ...under },
      ],
      summary:
        'Last of 4 on node-7: it uses no more than its request; before it go 1 pod without memory figures, 1 pod over its request and 1 pod within its request with a lower priority.',
    },
    {
      name: 'a static pod',
      pods: [{ name: 'it', isStatic: true }, { name: 'a' }],
      summary: 'Never evicted: it is a static pod, run by the node itself, and the kubelet skips those.',
    },
    {
      name: 'a critical pod',
      pods: [{ name: 'it', priority: 2_000_000_000, priorityClass: 'system-cluster-critical' }],
      summary:
        'Never evicted: its priority 2000000000 (system-cluster-critical) is 2000000000 or more, and the kubelet skips such pods.',
    },
    {
      name: 'a node without figures',
      pods: [{ name: 'it', usageBytes: undefined }],
      summary:
        'Not ranked: no pod on node-7 has a known memory usage, so the figures of the whole node are missing and any order would be a guess.',
    },
    {
      name: 'a node with an unknown request',
      pods: [{ name: 'it' }, { name: 'a', requestBytes: undefined }],
      summary:
        'Not ranked: the memory request of 1 pod on node-7 is not known, so any order would be a guess.',
    },
  ];

describe('the first sentence', () => {
  for (const { name, pods, node, summary } of summaries) {
    test(`${name}`, () => expect(explain('it', pods, node).summary).toBe(summary));
  }
});

function everyPod(
  snapshot: Snapshot,
  check: (explanation: PodExplanation, ranked: RankedPod, node: RankedNode) => void,
): void {
  for (const node of snapshot.nodes) {
    for (const ranked of node.pods) check(explainPod(snapshot, { ranked, node }), ranked, node);
  }
}

describe('every explanation', () => {
  test('names as many pods before it as its rank says', () => {
    let counted = 0;
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) =>
        everyPod(snapshot, ({ summary }, { now }) => {
          const before = /; before it go(?:es)? (.*)\.$/.exec(summary)?.[1];
          const numbers = [...(before ?? '').matchAll(/(\d+) pods?/g)].map(([, number]) => Number(number));
          if (now.rank === undefined) {
            expect(summary).toMatch(/^(Never evicted|Not ranked): /);
            return;
          }
          counted += numbers.length;
          expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(now.rank - 1);
        }),
      ),
    );
    expect(counted).toBeGreaterThan(100);
  });

  test('says that nobody has a lower priority only where that is so', () => {
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) =>
        everyPod(snapshot, ({ summary }, ranked, node) => {
          const lowest = Math.min(...node.pods.map(({ pod }) => pod.priority));
          const lowestOfGroup = Math.min(
            ...node.pods.filter(({ now }) => now.group === ranked.now.group).map(({ pod }) => pod.priority),
          );
          if (summary.includes('no other pod there has a lower')) expect(ranked.pod.priority).toBe(lowest);
          if (/no other pod within|none has a lower|has the lowest/.test(summary)) {
            expect(ranked.pod.priority).toBe(lowestOfGroup);
          }
        }),
      ),
    );
  });

  test('compares with the nearest pods of other ranks, by the comparator that decides between the two', () => {
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) =>
        everyPod(snapshot, (explanation, ranked, node) => {
          for (const basis of ['now', 'peak'] as const) {
            const { neighbours, tiedWith, values } = explanation[basis];
            const { rank } = ranked[basis];
            const others = node.pods.filter((other) => other !== ranked && other[basis].rank !== undefined);
            if (rank === undefined) {
              expect([neighbours, tiedWith]).toEqual([[], []]);
              continue;
            }
            const same = others.filter((other) => other[basis].rank === rank);
            expect(tiedWith.toSorted(compareText)).toEqual(
              same.map(({ pod }) => `${pod.namespace}/${pod.name}`).toSorted(compareText),
            );
            expect(neighbours).toHaveLength(
              Number(others.some((other) => (other[basis].rank ?? rank) < rank)) +
                Number(others.some((other) => (other[basis].rank ?? rank) > rank)),
            );
            for (const { other, own, others: theirs, decidedBy, rank: otherRank, sentence } of neighbours) {
              expect(own).toEqual(values);
              const [first, second] = other === 'after' ? [own, theirs] : [theirs, own];
              expect(Math.sign((otherRank ?? rank) - rank)).toBe(other === 'after' ? 1 : -1);
              const differs = {
                no_stats: first.exceedsRequest === undefined && second.exceedsRequest !== undefined,
                exceeds_request: first.exceedsRequest === true && second.exceedsRequest === false,
                priority: first.exceedsRequest === second.exceedsRequest && first.priority < second.priority,
                over_request:
                  first.exceedsRequest === second.exceedsRequest &&
                  first.priority === second.priority &&
                  (first.overRequestBytes ?? 0) > (second.overRequestBytes ?? 0),
              };
              expect(differs[decidedBy], sentence).toBe(true);
            }
          }
        }),
      ),
    );
  });

  test('gives the distance of the snapshot, and says why where there is none', () => {
    const reasons = new Set<string>();
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) =>
        everyPod(snapshot, ({ distance }, ranked) => {
          expect(distance.bytes).toBe(ranked.distanceBytes);
          reasons.add(distance.sentence.split(':')[0] ?? '');
          expect(/^(Not known|There is none)/.test(distance.sentence)).toBe(distance.bytes === undefined);
          expect(distance.sentence.startsWith('Nothing is left')).toBe(distance.bytes === 0);
        }),
      ),
      500,
    );
    expect(reasons).toContain('Not known');
    expect(reasons).toContain('There is none');
    expect(reasons).toContain('Nothing is left');
  });
});

describe('the distance in words', () => {
  const first = { name: 'a', usageBytes: 300, requestBytes: 0 };
  const cases: readonly { name: string; pods: readonly Facts[]; node?: Partial<Node>; sentence: string }[] = [
    {
      name: 'the first pod has all of the headroom',
      pods: [{ name: 'it' }],
      sentence:
        'The node can lose another 400 of free memory before the kubelet takes this pod: all that it has above its eviction threshold.',
    },
    {
      name: 'a later one has what goes before it as well',
      pods: [{ name: 'it' }, first],
      sentence:
        'The node can lose another 700 of free memory before the kubelet takes this pod: the node has 400 above its eviction threshold now, and the pod before it would give back 300.',
    },
    {
      name: 'below the threshold the first is next',
      pods: [{ name: 'it' }],
      node: { workingSetBytes: 1950 },
      sentence: 'Nothing is left: the node is at its eviction threshold or below it.',
    },
    {
      name: 'below the threshold another goes first',
      pods: [{ name: 'it' }, first],
      node: { workingSetBytes: 1950 },
      sentence:
        'The node can lose another 250 of free memory before the kubelet takes this pod: the node is 50 below its eviction threshold now, and the pod before it would give back 300.',
    },
    {
      name: 'the others would not do',
      pods: [{ name: 'it' }, first],
      node: { workingSetBytes: 2300 },
      sentence:
        'Nothing is left: the node is at its eviction threshold or below it, even once the pod before it is gone.',
    },
    {
      name: 'a pod without figures before it',
      pods: [{ name: 'it' }, { name: 'a', usageBytes: undefined }],
      sentence:
        'Not known: 1 pod before it has no memory figures, so nobody can say what evicting it would give back.',
    },
    {
      name: 'the node is not known',
      pods: [{ name: 'it' }],
      node: { capacityBytes: undefined },
      sentence: 'Not known: the memory size of node-7, or how much of it is in use, is missing.',
    },
  ];
  for (const { name, pods, node, sentence } of cases) {
    test(`${name}`, () => expect(explain('it', pods, node).distance.sentence).toBe(sentence));
  }
});

describe('the comparison with a neighbour in words', () => {
  const cases: readonly [string, Facts, string][] = [
    [
      'no figures',
      { name: 'a', usageBytes: undefined },
      'default/a goes before default/it: the kubelet has no memory figures for default/a, and takes such pods first; it has some for default/it.',
    ],
    [
      'over its request',
      { name: 'a', ...over },
      'default/a goes before default/it: default/a uses more memory than it requests, default/it does not.',
    ],
    [
      'priority',
      { name: 'a', ...under, priority: -3 },
      'default/a goes before default/it: neither uses more than it requests, so the priority decides: that of default/a is lower (-3 against 0).',
    ],
    [
      'amount',
      { name: 'a', ...under, usageBytes: 150 * MIB },
      'default/a goes before default/it: neither uses more than it requests and both have priority 0, so the amount decides: default/a is closer to its request (50Mi below against 100Mi below).',
    ],
    [
      'sizes that look alike',
      { name: 'a', ...under, usageBytes: 100 * MIB + 1 },
      'default/a goes before default/it: neither uses more than it requests and both have priority 0, so the amount decides: default/a is closer to its request (104857599 bytes below against 104857600 bytes below).',
    ],
    [
      'exactly at its request',
      { name: 'a', ...under, usageBytes: 200 * MIB },
      'default/a goes before default/it: neither uses more than it requests and both have priority 0, so the amount decides: default/a is exactly at its request, the other is 100Mi below.',
    ],
  ];
  for (const [name, other, sentence] of cases) {
    test(`${name}`, () =>
      expect(explain('it', [{ name: 'it', ...under }, other]).now.neighbours[0]?.sentence).toBe(sentence));
  }
});

describe('the cautions', () => {
  test('tell of a window that is not full, and of the problems of this very pod and node', () => {
    const full = snapshotOf([nodeOf({ pods: [podOf({ name: 'it', priorityClass: 'odd' })] })]);
    const odd = problem('priority_class_unmapped', {
      subject: 'odd',
      message: 'odd is not known',
      remedy: 'map it',
    });
    const other = problem('priority_class_unmapped', {
      subject: 'other',
      message: 'other',
      remedy: 'map it',
    });
    const snapshot = { ...full, windowCoverageRatio: 0.299, problems: [odd, other] };
    expect(explainIn(snapshot, 'it').cautions).toEqual([
      'The peaks cover only 29% of the window so far, so they may be too low.',
      'odd is not known (map it)',
    ]);
    expect(explainIn(full, 'it').cautions).toEqual([]);
    expect(explainIn({ ...full, windowCoverageRatio: 0 }, 'it').cautions).toEqual([
      'Nothing is known of the past, so the peak of each pod is what it uses now.',
    ]);
  });

  test('tell of a node of which pods are missing: its order stands, its distances do not', () => {
    const full = snapshotOf([nodeOf({ pods: [podOf({ name: 'it' })] })]);
    const nodes = full.nodes.map((node) => ({
      ...node,
      complete: false,
      pods: node.pods.map((pod) => ({ ...pod, distanceBytes: undefined })),
    }));
    expect(explainIn({ ...full, nodes }, 'it')).toMatchObject({
      summary: 'The only pod on n1 that the kubelet could evict: it is under its request.',
      distance: { bytes: undefined, sentence: 'Not known: pods are missing from the data of this node.' },
      cautions: ['Some pods of this node are missing from the data, so its real place may be a later one.'],
    });
  });
});
