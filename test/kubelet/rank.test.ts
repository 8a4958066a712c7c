import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvictionCandidate, Standing } from '../../src/kubelet/candidate.ts';
import { memoryPolicy, pidPolicy } from '../../src/kubelet/policies.ts';
import { compareByPolicy, rankCandidates } from '../../src/kubelet/rank.ts';
import { assertProperty } from '../property.ts';
import { arbitraryCandidate, arbitraryCandidates, arbitraryPolicy } from './arbitrary-candidates.ts';

function pod(name: string, facts: Partial<EvictionCandidate> = {}): EvictionCandidate {
  return { namespace: 'ns', name, priority: 0, usage: 10, request: 5, isProtected: false, ...facts };
}

function standings(
  candidates: readonly EvictionCandidate[],
  policy = memoryPolicy,
): Record<string, Standing> {
  return Object.fromEntries(
    rankCandidates(candidates, policy).map(({ candidate, standing }) => [candidate.name, standing]),
  );
}

describe('standing', () => {
  test('each pod names the comparator that put it before the next one', () => {
    const ranked = rankCandidates(
      [
        pod('within', { usage: 1 }),
        pod('exceeds-high', { priority: 7 }),
        pod('exceeds-more', { usage: 11 }),
        pod('exceeds'),
        pod('no-stats', { usage: undefined }),
      ],
      memoryPolicy,
    );
    expect(
      ranked.map(({ candidate, standing }) => [candidate.name, standing.group, standing.decidedBy]),
    ).toEqual([
      ['no-stats', 'no_stats', 'no_stats'],
      ['exceeds-more', 'exceeds_request', 'over_request'],
      ['exceeds', 'exceeds_request', 'priority'],
      ['exceeds-high', 'exceeds_request', 'exceeds_request'],
      ['within', 'within_request', undefined],
    ]);
  });

  test('full ties share a rank, and the next one skips: 1, 2, 2, 4', () => {
    const tied = standings([pod('first', { usage: 20 }), pod('b'), pod('a'), pod('last', { usage: 1 })]);
    expect(Object.keys(tied)).toEqual(['first', 'a', 'b', 'last']);
    expect(Object.values(tied).map(({ rank }) => rank)).toEqual([1, 2, 2, 4]);
    expect(Object.values(tied).map((standing) => standing.tied)).toEqual([false, true, true, false]);
    expect(Object.values(tied).map(({ decidedBy }) => decidedBy)).toEqual([
      'over_request',
      'tie',
      'exceeds_request',
      undefined,
    ]);
  });

  test('protected pods stand last in the order of the kubelet, without rank or decision', () => {
    const protectedPod = { group: 'protected', rank: undefined, tied: false, decidedBy: undefined };
    const result = standings([
      pod('static-within', { isProtected: true, usage: 1 }),
      pod('static-exceeds', { isProtected: true, usage: 100 }),
      pod('evictable', { usage: 0 }),
    ]);
    expect(Object.entries(result)).toEqual([
      ['evictable', { group: 'within_request', rank: 1, tied: false, decidedBy: undefined }],
      ['static-exceeds', protectedPod],
      ['static-within', protectedPod],
    ]);
  });

  test('for PIDs, missing stats decide only within one priority', () => {
    const result = standings(
      [pod('high-no-stats', { priority: 1, usage: undefined }), pod('low', { priority: 0, usage: 1 })],
      pidPolicy,
    );
    expect(Object.keys(result)).toEqual(['low', 'high-no-stats']);
    expect(result).toMatchObject({ low: { decidedBy: 'priority' } });
  });

  test('nothing to rank gives nothing', () => {
    expect(rankCandidates([], memoryPolicy)).toEqual([]);
  });
});

describe('ranking holds for any pods', () => {
  const positions = (candidates: readonly EvictionCandidate[], policy = memoryPolicy) =>
    rankCandidates(candidates, policy).map(({ candidate }) => `${candidate.namespace}/${candidate.name}`);

  test('a permutation of the pods does not change the answer', () => {
    assertProperty(
      fc.property(
        arbitraryCandidates.chain((pods) =>
          fc.tuple(
            fc.constant(pods),
            fc.shuffledSubarray(pods, { minLength: pods.length, maxLength: pods.length }),
          ),
        ),
        arbitraryPolicy,
        ([pods, shuffled], policy) => {
          expect(rankCandidates(shuffled, policy)).toEqual(rankCandidates(pods, policy));
        },
      ),
    );
  });

  test('the comparators are a total preorder: antisymmetric and transitive', () => {
    assertProperty(
      fc.property(
        arbitraryCandidate,
        arbitraryCandidate,
        arbitraryCandidate,
        arbitraryPolicy,
        (a, b, c, policy) => {
          expect(Math.sign(compareByPolicy(a, b, policy)) + Math.sign(compareByPolicy(b, a, policy))).toBe(0);
          if (compareByPolicy(a, b, policy) <= 0 && compareByPolicy(b, c, policy) <= 0) {
            expect(compareByPolicy(a, c, policy)).toBeLessThanOrEqual(0);
          }
        },
      ),
      2000,
    );
  });

  test('raising a priority never moves a pod forward', () => {
    assertProperty(
      fc.property(arbitraryCandidates, arbitraryPolicy, fc.nat(), fc.nat(5), (pods, policy, pick, raise) => {
        const chosen = at(pods, pick);
        const raised = { ...chosen, priority: chosen.priority + raise };
        const after = positions(pods.with(pods.indexOf(chosen), raised), policy);
        const key = `${chosen.namespace}/${chosen.name}`;
        expect(after.indexOf(key)).toBeGreaterThanOrEqual(positions(pods, policy).indexOf(key));
      }),
    );
  });

  test('raising a usage never moves a pod back', () => {
    assertProperty(
      fc.property(arbitraryCandidates, arbitraryPolicy, fc.nat(), fc.nat(8), (pods, policy, pick, raise) => {
        const chosen = at(pods, pick);
        fc.pre(chosen.usage !== undefined);
        const raised = { ...chosen, usage: chosen.usage + raise };
        const after = positions(pods.with(pods.indexOf(chosen), raised), policy);
        const key = `${chosen.namespace}/${chosen.name}`;
        expect(after.indexOf(key)).toBeLessThanOrEqual(positions(pods, policy).indexOf(key));
      }),
    );
  });

  test('raising a request never moves a pod forward', () => {
    assertProperty(
      fc.property(arbitraryCandidates, arbitraryPolicy, fc.nat(), fc.nat(8), (pods, policy, pick, raise) => {
        const chosen = at(pods, pick);
        const raised = { ...chosen, request: chosen.request + raise };
        const after = positions(pods.with(pods.indexOf(chosen), raised), policy);
        const key = `${chosen.namespace}/${chosen.name}`;
        expect(after.indexOf(key)).toBeGreaterThanOrEqual(positions(pods, policy).indexOf(key));
      }),
    );
  });

  test('ranks never fall, and are shared exactly by the pods no comparator tells apart', () => {
    assertProperty(
      fc.property(arbitraryCandidates, arbitraryPolicy, (pods, policy) => {
        const evictable = rankCandidates(pods, policy).filter(({ candidate }) => !candidate.isProtected);
        evictable.forEach((one, index) => {
          const sameRank = evictable.filter(({ standing }) => standing.rank === one.standing.rank);
          const equals = evictable.filter(
            ({ candidate }) => compareByPolicy(candidate, one.candidate, policy) === 0,
          );
          expect(sameRank).toEqual(equals);
          expect(one.standing.tied).toBe(equals.length > 1);
          expect(one.standing.rank).toBeLessThanOrEqual(index + 1);
          expect(evictable[(one.standing.rank ?? 0) - 1]?.standing.rank).toBe(one.standing.rank);
        });
      }),
    );
  });
});

function at(pods: readonly EvictionCandidate[], pick: number): EvictionCandidate {
  const chosen = pods[pick % pods.length];
  if (chosen === undefined) throw new Error('no pods');
  return chosen;
}
