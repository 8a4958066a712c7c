import { describe, expect, test } from 'vitest';
import { type CriticalityFacts, isCriticalPod } from '../../src/kubelet/critical.ts';

const CASES: readonly { name: string; pod: CriticalityFacts; expected: boolean }[] = [
  { name: 'a pod without priority or annotations is evictable', pod: {}, expected: false },
  { name: 'priority just below 2000000000 is evictable', pod: { priority: 1_999_999_999 }, expected: false },
  { name: 'priority 2000000000 is critical', pod: { priority: 2_000_000_000 }, expected: true },
  {
    name: 'a pod from the API is evictable',
    pod: { annotations: { 'kubernetes.io/config.source': 'api' } },
    expected: false,
  },
  {
    name: 'a pod from a file is static',
    pod: { annotations: { 'kubernetes.io/config.source': 'file' } },
    expected: true,
  },
  {
    name: 'a pod from an empty source is static',
    pod: { annotations: { 'kubernetes.io/config.source': '' } },
    expected: true,
  },
  {
    name: 'an empty mirror annotation counts',
    pod: { annotations: { 'kubernetes.io/config.mirror': '' } },
    expected: true,
  },
  {
    name: 'a pod known to be static is critical at any priority',
    pod: { isStatic: true, priority: -5 },
    expected: true,
  },
];

describe('critical pods are never evicted', () => {
  for (const { name, pod, expected } of CASES) {
    test(name, () => {
      expect(isCriticalPod(pod)).toBe(expected);
    });
  }
});
