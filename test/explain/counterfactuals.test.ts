import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCounterfactuals } from '../../src/explain/counterfactuals.ts';
import { requestText } from '../../src/explain/wording.ts';
import { parseQuantity, quantityToNumber } from '../../src/foundation/quantity.ts';
import type { Pod } from '../../src/model/pod.ts';
import { problem } from '../../src/model/problem.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import type { Basis, RankedNode, RankedPod, Snapshot } from '../../src/snapshot/snapshot.ts';
import { assertProperty } from '../property.ts';
import { nodeOf, podOf, settings, snapshotOf, windowOf } from '../snapshot/sample-snapshot.ts';
import { arbitrarySnapshot } from './arbitrary-nodes.ts';

/** The whole way from pods to ranks once more, with one pod different: nothing of the code under test is in it. */
function rebuild(snapshot: Snapshot, changed: RankedPod, facts: Partial<Pod>, peakBytes?: number): RankedPod {
  const [ranked] = snapshot.nodes;
  if (ranked === undefined) throw new Error('no node');
  const peaks = new Map(ranked.pods.map((one) => [one.pod.name + one.pod.namespace, one.peak.usageBytes]));
  const pods = ranked.pods.map((one) => (one === changed ? { ...one.pod, ...facts } : one.pod));
  const rebuilt = buildSnapshot(
    {
      cluster: {
        evaluatedAtMs: 0,
        nodes: [nodeOf({ ...ranked.node, pods })],
        problems: [],
        finishedPods: [],
        initNeedBytes: new Map(),
      },
      window: {
        ...windowOf(),
        podPeak(pod) {
          const isChanged = pod.name === changed.pod.name && pod.namespace === changed.pod.namespace;
          const peak = isChanged && peakBytes !== undefined ? peakBytes : peaks.get(pod.name + pod.namespace);
          return peak === undefined ? undefined : { peakBytes: peak, timeOverRequestRatio: 0 };
        },
      },
      inputs: [],
    },
    settings,
  );
  const found = rebuilt.nodes[0]?.pods.find(
    ({ pod }) => pod.name === changed.pod.name && pod.namespace === changed.pod.namespace,
  );
  if (found === undefined) throw new Error('the pod is gone');
  return found;
}

function everyPod(snapshot: Snapshot, check: (ranked: RankedPod, node: RankedNode) => void): void {
  for (const node of snapshot.nodes) for (const ranked of node.pods) check(ranked, node);
}

const bases: readonly Basis[] = ['now', 'peak'];

describe('a counterfactual', () => {
  test('gives the rank the pod really has once the change is made, on both bases', () => {
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) => {
        everyPod(snapshot, (ranked, node) => {
          for (const found of findCounterfactuals(ranked, node, snapshot)) {
            const { requestBytes, priority, usageBytes } = found.change;
            const after = rebuild(
              snapshot,
              ranked,
              {
                ...(requestBytes === undefined ? {} : { requestBytes }),
                ...(priority === undefined ? {} : { priority }),
                ...(usageBytes === undefined ? {} : { usageBytes }),
              },
              usageBytes,
            );
            for (const basis of bases) {
              const { group, rank, tied } = after[basis];
              expect(found[basis]).toMatchObject({ group, rank, tied });
            }
          }
        });
      }),
      300,
    );
  });

  test('that names a request names the smallest one: a byte less and the pod still exceeds it', () => {
    let checked = 0;
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) => {
        everyPod(snapshot, (ranked, node) => {
          for (const basis of bases) {
            const kind = basis === 'now' ? 'request_covers_now' : 'request_covers_peak';
            const found = findCounterfactuals(ranked, node, snapshot).find((one) => one.kind === kind);
            expect(found !== undefined).toBe(ranked[basis].group === 'exceeds_request');
            const requestBytes = found?.change.requestBytes;
            if (requestBytes === undefined) continue;
            checked++;
            expect(found?.[basis].group).toBe('within_request');
            expect(rebuild(snapshot, ranked, { requestBytes: requestBytes - 1 })[basis].group).toBe(
              'exceeds_request',
            );
          }
        });
      }),
    );
    expect(checked).toBeGreaterThan(100);
  });

  test('never ranks the pod earlier for a larger request than the one named', () => {
    assertProperty(
      fc.property(arbitrarySnapshot, fc.integer({ min: 1, max: 8 }), (snapshot, more) => {
        everyPod(snapshot, (ranked, node) => {
          for (const found of findCounterfactuals(ranked, node, snapshot)) {
            const { requestBytes } = found.change;
            if (requestBytes === undefined) continue;
            const later = rebuild(snapshot, ranked, { requestBytes: requestBytes + more });
            expect(later.now.rank ?? 0).toBeGreaterThanOrEqual(found.now.rank ?? 0);
            expect(later.peak.rank ?? 0).toBeGreaterThanOrEqual(found.peak.rank ?? 0);
          }
        });
      }),
    );
  });

  test('exists for every other priority in use, and for none of a static pod', () => {
    assertProperty(
      fc.property(arbitrarySnapshot, (snapshot) => {
        everyPod(snapshot, (ranked, node) => {
          const found = findCounterfactuals(ranked, node, snapshot).filter(({ kind }) => kind === 'priority');
          const others = snapshot.priorities.filter(({ priority }) => priority !== ranked.pod.priority);
          expect(found).toHaveLength(node.complete && !ranked.pod.isStatic ? others.length : 0);
        });
      }),
    );
  });
});

describe('what is found for one pod', () => {
  const pods = [
    podOf({ name: 'api', usageBytes: 300, requestBytes: 200, priority: 5, priorityClass: 'mid' }),
    podOf({ name: 'batch', usageBytes: 400, requestBytes: 0, priority: -10, priorityClass: 'low' }),
    podOf({ name: 'web', usageBytes: 100, requestBytes: 200, priority: 9, priorityClass: 'high' }),
  ];
  const snapshot = snapshotOf([nodeOf({ pods, allocatableBytes: 450 })], { peaks: { api: 700 } });
  const [node] = snapshot.nodes;
  const of = (name: string) => {
    const ranked = node?.pods.find(({ pod }) => pod.name === name);
    if (node === undefined || ranked === undefined) throw new Error(`no pod ${name}`);
    return findCounterfactuals(ranked, node, snapshot);
  };

  test('a pod over its request: both requests, its own peak, every other class', () => {
    expect(of('api').map(({ sentence }) => sentence)).toEqual([
      'A memory request of 300 would cover what it uses now: it would be 2nd of 3, or later with a larger one. The node cannot reserve that much more, so the pod may not fit there.',
      'A memory request of 700 would cover its 7-day peak: with every pod at its peak it would be 2nd of 3, as things are now 2nd of 3, or later with a larger one. The node cannot reserve that much more, so the pod may not fit there.',
      'If it alone rose to its 7-day peak of 700, it would be 2nd of 3.',
      'With priority class high (9) it would be 2nd of 3.',
      'With priority class low (-10) it would be 2nd of 3.',
    ]);
  });

  test('a pod within its request on both bases needs no other request', () => {
    expect(of('web').map(({ kind }) => kind)).toEqual(['priority', 'priority']);
  });
});

describe('a class whose value is not known', () => {
  test('is not offered, for nobody can say what it would do', () => {
    const pods = [podOf({ name: 'it', priority: 5 }), podOf({ name: 'odd', priorityClass: 'odd' })];
    const snapshot = snapshotOf([nodeOf({ pods })]);
    const problems = [problem('priority_class_unmapped', { subject: 'odd', message: 'm', remedy: 'r' })];
    const [node] = snapshot.nodes;
    const ranked = node?.pods.find(({ pod }) => pod.name === 'it');
    if (node === undefined || ranked === undefined) throw new Error('no pod');
    expect(findCounterfactuals(ranked, node, snapshot)).toMatchObject([{ priorityClass: 'odd' }]);
    expect(findCounterfactuals(ranked, node, { ...snapshot, problems })).toEqual([]);
  });
});

describe('the request to write into a manifest', () => {
  test('is never less than the bytes it must cover, and at most 1Mi more', () => {
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 2 ** 45 }), (bytes) => {
        const written = quantityToNumber(parseQuantity(requestText(bytes)));
        expect(written).toBeGreaterThanOrEqual(bytes);
        expect(written - bytes).toBeLessThan(2 ** 20);
      }),
    );
  });
});
