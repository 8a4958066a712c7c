import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import { simulateEvictions } from '../../src/kubelet/eviction-run.ts';
import { memoryPolicy } from '../../src/kubelet/policies.ts';
import { assertProperty } from '../property.ts';
import { arbitraryCandidates } from './arbitrary-candidates.ts';

function pod(name: string, facts: Partial<EvictionCandidate> = {}): EvictionCandidate {
  return { namespace: 'ns', name, priority: 0, usage: 10, request: 0, isProtected: false, ...facts };
}

const PODS = [
  pod('big', { usage: 30 }),
  pod('small', { usage: 5 }),
  pod('medium', { usage: 20 }),
  pod('static', { usage: 99, isProtected: true }),
];

interface RunCase {
  readonly name: string;
  readonly input: Partial<Parameters<typeof simulateEvictions>[0]>;
  readonly evicted: readonly string[];
  readonly facts: Partial<ReturnType<typeof simulateEvictions>>;
}

const CASES: readonly RunCase[] = [
  {
    name: 'exactly at the threshold nothing is evicted',
    input: { availableBytes: 100 },
    evicted: [],
    facts: { underPressure: false, availableBytes: 100 },
  },
  {
    name: 'one byte below it the first pod goes',
    input: { availableBytes: 99 },
    evicted: ['big'],
    facts: { underPressure: false, availableBytes: 129 },
  },
  {
    name: 'minimum reclaim keeps evicting past the threshold',
    input: { availableBytes: 99, minimumReclaimBytes: 30 },
    evicted: ['big', 'medium'],
    facts: { underPressure: false, availableBytes: 149 },
  },
  {
    name: 'minimum reclaim starts nothing while the threshold is not met',
    input: { availableBytes: 100, minimumReclaimBytes: 30 },
    evicted: [],
    facts: { underPressure: false },
  },
  {
    name: 'when all evictable pods are gone the node stays under pressure, and protected pods stay',
    input: { availableBytes: 10 },
    evicted: ['big', 'medium', 'small'],
    facts: { underPressure: true, availableBytes: 65, oomLikely: false },
  },
  {
    name: 'memory that runs out altogether is marked: the OOM killer may act first',
    input: { availableBytes: -1, thresholdBytes: 10 },
    evicted: ['big'],
    facts: { oomLikely: true },
  },
  {
    name: 'a pod without stats gives back nothing, and the run says it is the worst case',
    input: { availableBytes: 99, candidates: [...PODS, pod('no-stats', { usage: undefined })] },
    evicted: ['no-stats', 'big'],
    facts: { isWorstCase: true, availableBytes: 129 },
  },
];

describe('eviction run', () => {
  for (const { name, input, evicted, facts } of CASES) {
    test(name, () => {
      const run = simulateEvictions({
        candidates: PODS,
        policy: memoryPolicy,
        availableBytes: 100,
        thresholdBytes: 100,
        ...input,
      });
      expect(run.evictions.map(({ candidate }) => candidate.name)).toEqual(evicted);
      expect(run).toMatchObject(facts);
    });
  }

  test('available memory never falls, no protected pod goes, and no pod is lost or doubled', () => {
    assertProperty(
      fc.property(
        arbitraryCandidates,
        fc.integer({ min: -10, max: 30 }),
        fc.nat(20),
        (candidates, availableBytes, thresholdBytes) => {
          const run = simulateEvictions({ candidates, policy: memoryPolicy, availableBytes, thresholdBytes });
          let available = availableBytes;
          for (const { candidate, availableBeforeBytes, availableAfterBytes } of run.evictions) {
            expect(availableBeforeBytes).toBe(available);
            expect(availableBeforeBytes).toBeLessThan(thresholdBytes);
            expect(availableAfterBytes - availableBeforeBytes).toBe(candidate.usage ?? 0);
            expect(candidate.isProtected).toBe(false);
            available = availableAfterBytes;
          }
          expect(run.availableBytes).toBe(available);
          const all = [...run.evictions, ...run.survivors].map(({ candidate }) => candidate);
          expect(new Set(all)).toEqual(new Set(candidates));
          expect(all).toHaveLength(candidates.length);
          const someLeft = run.survivors.some(({ candidate }) => !candidate.isProtected);
          if (run.underPressure) expect(someLeft).toBe(false);
        },
      ),
    );
  });
});
