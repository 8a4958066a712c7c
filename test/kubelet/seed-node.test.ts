import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { simulateEvictions } from '../../src/kubelet/eviction-run.ts';
import { memoryPolicy } from '../../src/kubelet/policies.ts';
import { rankCandidates } from '../../src/kubelet/rank.ts';
import { readOracleFile } from '../oracle-cases.ts';

const MIB = 2 ** 20;
const resources = z.record(z.string(), z.string());
const seedNode = z
  .strictObject({
    node: z.strictObject({
      name: z.string(),
      capacityBytes: z.int(),
      allocatableBytes: z.int(),
      hardThreshold: z.literal('100Mi'),
    }),
    pods: z.array(
      z.strictObject({
        namespace: z.string(),
        name: z.string(),
        priority: z.int(),
        containers: z.array(z.strictObject({ name: z.string(), requests: resources, limits: resources })),
        usageBytes: z.int(),
        qosClass: z.string(),
      }),
    ),
    requestBytes: z.record(z.string(), z.int()),
    scenarios: z.array(
      z.strictObject({
        daemonsMi: z.int(),
        priorityOverrides: z.record(z.string(), z.int()),
        availableMi: z.int(),
        order: z.array(z.string()),
        evicted: z.array(
          z.strictObject({ pod: z.string(), availableBeforeMi: z.int(), availableAfterMi: z.int() }),
        ),
      }),
    ),
  })
  .parse(readOracleFile('seed-node.json'));

function seedCandidates(priorityOverrides: Record<string, number>) {
  return seedNode.pods.map(({ namespace, name, priority, usageBytes }) => ({
    namespace,
    name,
    priority: priorityOverrides[name] ?? priority,
    usage: usageBytes,
    request: seedNode.requestBytes[name] ?? Number.NaN,
    isProtected: false,
  }));
}

describe('the worked example: one node, six pods', () => {
  test('there are nine scenarios', () => {
    expect(seedNode.scenarios).toHaveLength(9);
  });

  for (const scenario of seedNode.scenarios) {
    const overrides = JSON.stringify(scenario.priorityOverrides);
    test(`daemons use ${scenario.daemonsMi}Mi, priority overrides ${overrides}`, () => {
      const candidates = seedCandidates(scenario.priorityOverrides);
      const podUsageBytes = candidates.reduce((sum, { usage }) => sum + usage, 0);
      const availableBytes = seedNode.node.capacityBytes - scenario.daemonsMi * MIB - podUsageBytes;
      expect(availableBytes).toBe(scenario.availableMi * MIB);
      expect(rankCandidates(candidates, memoryPolicy).map(({ candidate }) => candidate.name)).toEqual(
        scenario.order,
      );

      const run = simulateEvictions({
        candidates,
        policy: memoryPolicy,
        availableBytes,
        thresholdBytes: 100 * MIB,
      });
      expect(
        run.evictions.map(({ candidate, availableBeforeBytes, availableAfterBytes }) => ({
          pod: candidate.name,
          availableBeforeMi: availableBeforeBytes / MIB,
          availableAfterMi: availableAfterBytes / MIB,
        })),
      ).toEqual(scenario.evicted);
      expect(run.survivors.map(({ candidate }) => candidate.name)).toEqual(
        scenario.order.slice(scenario.evicted.length),
      );
      expect(run.underPressure).toBe(false);
      expect(run.oomLikely).toBe(scenario.availableMi < 0);
      expect(run.isWorstCase).toBe(false);
    });
  }
});
