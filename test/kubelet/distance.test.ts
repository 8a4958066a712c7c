import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import { evictionDistances } from '../../src/kubelet/distance.ts';
import { simulateEvictions } from '../../src/kubelet/eviction-run.ts';
import { memoryPolicy } from '../../src/kubelet/policies.ts';
import { rankCandidates } from '../../src/kubelet/rank.ts';
import { assertProperty } from '../property.ts';
import { arbitraryCandidates } from './arbitrary-candidates.ts';

function pod(name: string, facts: Partial<EvictionCandidate> = {}): EvictionCandidate {
  return { namespace: 'ns', name, priority: 0, usage: 10, request: 0, isProtected: false, ...facts };
}

const CASES: readonly {
  name: string;
  pods: readonly EvictionCandidate[];
  headroom: number | undefined;
  expected: readonly (number | undefined)[];
}[] = [
  {
    name: 'the first pod is as far as the headroom, the next by the usage of those before it',
    pods: [pod('a', { usage: 30 }), pod('b', { usage: 20 }), pod('c', { usage: 10 })],
    headroom: 100,
    expected: [100, 130, 150],
  },
  {
    name: 'a met threshold puts the first pod at 0, and the one behind it at what is left',
    pods: [pod('a', { usage: 30 }), pod('b', { usage: 20 })],
    headroom: -5,
    expected: [0, 25],
  },
  {
    name: 'where one eviction is not enough, the next pod is at 0 as well',
    pods: [pod('a', { usage: 30 }), pod('b', { usage: 20 }), pod('c', { usage: 10 })],
    headroom: -35,
    expected: [0, 0, 15],
  },
  {
    name: 'tied pods have one distance, and all of them count for the pod behind',
    pods: [pod('a'), pod('b'), pod('c', { usage: 1 })],
    headroom: 100,
    expected: [100, 100, 120],
  },
  {
    name: 'protected pods have none and give back nothing',
    pods: [pod('a'), pod('static', { isProtected: true, usage: 500 }), pod('z', { usage: 1 })],
    headroom: 100,
    expected: [100, 110, undefined],
  },
  {
    name: 'behind a pod without stats the distance is unknown',
    pods: [pod('no-stats', { usage: undefined }), pod('b')],
    headroom: 100,
    expected: [100, undefined],
  },
  {
    name: 'without headroom no distance is known',
    pods: [pod('a'), pod('b', { usage: 1 })],
    headroom: undefined,
    expected: [undefined, undefined],
  },
];

describe('eviction distance', () => {
  for (const { name, pods, headroom, expected } of CASES) {
    test(name, () => {
      expect(evictionDistances(rankCandidates(pods, memoryPolicy), headroom)).toEqual(expected);
    });
  }

  test('a pod is evicted exactly when the node loses more than its distance', () => {
    const known = arbitraryCandidates.map((pods) => pods.map((one) => ({ ...one, usage: one.usage ?? 0 })));
    assertProperty(
      fc.property(known, fc.integer({ min: -20, max: 20 }), fc.nat(60), (pods, headroom, lost) => {
        const thresholdBytes = 1000;
        const ranked = rankCandidates(pods, memoryPolicy);
        const distances = evictionDistances(ranked, headroom);
        const { evictions } = simulateEvictions({
          candidates: pods,
          policy: memoryPolicy,
          availableBytes: thresholdBytes + headroom - lost,
          thresholdBytes,
        });
        const evicted = new Set(evictions.map(({ candidate }) => candidate));
        ranked.forEach(({ candidate, standing }, index) => {
          const distance = distances[index];
          // Of tied pods the first listed is the one the run takes.
          const isFirstOfRank = ranked[index - 1]?.standing.rank !== standing.rank;
          if (distance === undefined || !isFirstOfRank || lost === 0) return;
          if (lost > distance) expect(evicted).toContain(candidate);
          if (lost < distance) expect(evicted).not.toContain(candidate);
        });
      }),
      500,
    );
  });
});
