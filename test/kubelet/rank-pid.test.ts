import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pidPolicy } from '../../src/kubelet/policies.ts';
import { rankCandidates } from '../../src/kubelet/rank.ts';
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

const cases = readOracleCases(
  'rank_pid',
  z.strictObject({
    ...caseHead,
    ...rankOutcome,
    pods: z.array(
      z.strictObject({
        name: z.string(),
        namespace: z.string(),
        priority: nullable(z.int()),
        processCount: nullable(wholeNumber),
        statsFoundButNoProcessStats: z.literal(true).optional(),
      }),
    ),
  }),
);

describe('the kubelet ranks pods under PID pressure', () => {
  for (const one of cases) {
    test(caseName(one), () => {
      const candidates = one.pods.map(({ namespace, name, priority = 0, processCount }) => ({
        namespace,
        name,
        priority,
        usage: processCount,
        request: 0,
        isProtected: false,
      }));
      expect(tieGroups(rankCandidates(candidates, pidPolicy))).toEqual(expectedGroups(one));
    });
  }
});
