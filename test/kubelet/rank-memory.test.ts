import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Amount, wrapToInt64 } from '../../src/kubelet/amount.ts';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import { memoryPolicy } from '../../src/kubelet/policies.ts';
import { groupOf, rankCandidates } from '../../src/kubelet/rank.ts';
import { effectiveRequest } from '../../src/kubelet/request.ts';
import {
  caseHead,
  caseName,
  expectedGroups,
  nullable,
  rankOutcome,
  readOracleCases,
  wholeNumber,
} from '../oracle-cases.ts';
import { tieGroups } from './tie-groups.ts';

const container = z.strictObject({ name: z.string(), requestMemoryBytes: nullable(wholeNumber) });
const pod = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  priority: nullable(z.int()),
  containers: z.array(container),
  initContainers: z.array(container),
  overheadMemoryBytes: nullable(wholeNumber),
  usageBytes: nullable(wholeNumber),
  statsFoundButNoWorkingSet: z.literal(true).optional(),
  requestBytes: wholeNumber,
  exceedsRequest: nullable(z.boolean()),
});
const cases = readOracleCases(
  'rank_memory',
  z.strictObject({ ...caseHead, ...rankOutcome, pods: z.array(pod) }),
);

function toCandidate(pod_: z.output<typeof pod>): EvictionCandidate<Amount> {
  const { name, namespace, priority = 0, usageBytes } = pod_;
  return {
    namespace,
    name,
    priority,
    usage: typeof usageBytes === 'bigint' ? wrapToInt64(usageBytes) : usageBytes,
    request: effectiveRequest({
      containers: pod_.containers.map(({ requestMemoryBytes }) => requestMemoryBytes),
      initContainers: pod_.initContainers.map(({ requestMemoryBytes }) => ({
        request: requestMemoryBytes,
        isSidecar: false,
      })),
      overhead: pod_.overheadMemoryBytes,
    }),
    // rankMemoryPressure ranks critical pods like any other.
    isProtected: false,
  };
}

describe('the kubelet ranks pods under memory pressure', () => {
  for (const one of cases) {
    test(caseName(one), () => {
      const candidates = one.pods.map(toCandidate);
      expect(candidates.map(({ request }) => request)).toEqual(
        one.pods.map(({ requestBytes }) => requestBytes),
      );
      const groups = candidates.map((candidate) => groupOf(candidate, memoryPolicy));
      expect(groups).toEqual(
        one.pods.map(({ exceedsRequest }) => {
          if (exceedsRequest === undefined) return 'no_stats';
          return exceedsRequest ? 'exceeds_request' : 'within_request';
        }),
      );
      expect(tieGroups(rankCandidates(candidates, memoryPolicy))).toEqual(expectedGroups(one));
    });
  }
});
