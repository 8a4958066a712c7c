import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseQuantity } from '../../src/foundation/quantity.ts';
import { readMinimumReclaim, readThreshold, ScenarioError } from '../../src/scenario/scenario.ts';
import { simulateScenario } from '../../src/scenario/simulate.ts';
import type { RankedNode } from '../../src/snapshot/snapshot.ts';
import { readOracleFile } from '../oracle-cases.ts';
import { nodeOf, podOf, snapshotOf } from '../snapshot/sample-snapshot.ts';

const MIB = 2 ** 20;
const seed = z
  .object({
    node: z.object({ name: z.string(), capacityBytes: z.int() }),
    pods: z.array(
      z.object({ namespace: z.string(), name: z.string(), priority: z.int(), usageBytes: z.int() }),
    ),
    requestBytes: z.record(z.string(), z.int()),
    scenarios: z.array(
      z.object({
        daemonsMi: z.int(),
        priorityOverrides: z.record(z.string(), z.int()),
        availableMi: z.int(),
        order: z.array(z.string()),
        evicted: z.array(
          z.object({ pod: z.string(), availableBeforeMi: z.int(), availableAfterMi: z.int() }),
        ),
      }),
    ),
  })
  .parse(readOracleFile('seed-node.json'));
const measuredDaemonsMi = 412;

function seedNode(): RankedNode {
  const pods = seed.pods.map((pod) => podOf({ ...pod, requestBytes: seed.requestBytes[pod.name] }));
  const workingSetBytes =
    measuredDaemonsMi * MIB + seed.pods.reduce((sum, { usageBytes }) => sum + usageBytes, 0);
  return ranked({ pods, capacityBytes: seed.node.capacityBytes, workingSetBytes }, '100Mi');
}

function ranked(facts: Parameters<typeof nodeOf>[0], threshold: string): RankedNode {
  const [node] = snapshotOf([nodeOf(facts)], {
    settings: { threshold: { quantity: parseQuantity(threshold) } },
  }).nodes;
  if (node === undefined) throw new Error('a snapshot of one node has one');
  return node;
}

describe('a simulation of the worked example', () => {
  for (const { daemonsMi, priorityOverrides, availableMi, order, evicted } of seed.scenarios) {
    test(`daemons use ${daemonsMi}Mi, priorities ${JSON.stringify(priorityOverrides)}`, () => {
      const result = simulateScenario(seedNode(), {
        extraNodeUsageBytes: (daemonsMi - measuredDaemonsMi) * MIB,
        pods: Object.entries(priorityOverrides).map(([pod, priority]) => ({
          namespace: seed.pods.find(({ name }) => name === pod)?.namespace ?? '',
          pod,
          priority,
        })),
      });
      expect(
        result.evictions.map(({ pod, availableBeforeBytes, availableAfterBytes }) => ({
          pod,
          availableBeforeMi: availableBeforeBytes / MIB,
          availableAfterMi: availableAfterBytes / MIB,
        })),
      ).toEqual(evicted);
      expect([...result.evictions, ...result.survivors].map(({ pod }) => pod)).toEqual(order);
      expect(result.thresholdBytes).toBe(100 * MIB);
      expect(result.oomLikely).toBe(availableMi < 0);
      expect(result.notes).toHaveLength(availableMi < 0 ? 1 : 0);
    });
  }
});

describe('a simulation', () => {
  const a = podOf({ name: 'a', usageBytes: 300, requestBytes: 100 });
  const b = podOf({ name: 'b', usageBytes: 200, requestBytes: 400 });
  // 2000 − 1500 = 500 available.
  const node = ranked({ pods: [a, b] }, '100');
  const evicted = (scenario: Parameters<typeof simulateScenario>[1], on = node) =>
    simulateScenario(on, scenario).evictions.map(({ pod }) => pod);

  test('changes nothing where nothing is changed', () => {
    const result = simulateScenario(node, {});
    expect(result).toMatchObject({ evictions: [], availableBytes: 500, thresholdBytes: 100, notes: [] });
    expect(result.survivors.map(({ pod, group }) => [pod, group])).toEqual([
      ['a', 'exceeds_request'],
      ['b', 'within_request'],
    ]);
  });

  test('takes a percentage threshold of the capacity', () => {
    expect(simulateScenario(node, { threshold: readThreshold('30%') }).thresholdBytes).toBe(600);
    expect(evicted({ threshold: readThreshold('25%') })).toEqual([]);
    expect(evicted({ threshold: readThreshold('30%') })).toEqual(['a']);
  });

  test('goes on to the minimum reclaim once the threshold is met', () => {
    expect(evicted({ extraNodeUsageBytes: 401, minimumReclaim: readMinimumReclaim('0') })).toEqual(['a']);
    expect(evicted({ extraNodeUsageBytes: 401, minimumReclaim: readMinimumReclaim('300') })).toEqual([
      'a',
      'b',
    ]);
  });

  test('counts more usage of a pod against the node', () => {
    const pods = [{ namespace: 'default', pod: 'b', usageBytes: 601 }];
    expect(simulateScenario(node, { pods }).evictions).toEqual([
      {
        namespace: 'default',
        pod: 'b',
        group: 'exceeds_request',
        decidedBy: 'over_request',
        availableBeforeBytes: 99,
        availableAfterBytes: 700,
      },
    ]);
  });

  test('moves a pod by its request', () => {
    const pods = [{ namespace: 'default', pod: 'a', requestBytes: 300 }];
    expect(simulateScenario(node, { pods }).survivors[0]).toMatchObject({
      pod: 'a',
      group: 'within_request',
    });
  });

  test('protects a pod whose priority is raised to critical', () => {
    const pods = [{ namespace: 'default', pod: 'a', priority: 2_000_000_000 }];
    expect(evicted({ extraNodeUsageBytes: 450, pods })).toEqual(['b']);
  });

  test('says so where every evictable pod is gone in vain', () => {
    const result = simulateScenario(node, { extraNodeUsageBytes: 1000 });
    expect(result).toMatchObject({ underPressure: true, oomLikely: true, availableBytes: 0 });
    expect(result.notes.join(' ')).toMatch(/500 short of memory.*OOM killer.*still under pressure/);
  });

  test('says so where an evicted pod has no known usage', () => {
    const blind = ranked({ pods: [a, podOf({ name: 'blind', usageBytes: undefined })] }, '100');
    const { evictions, notes } = simulateScenario(blind, { extraNodeUsageBytes: 450 });
    expect(evictions.map(({ pod }) => pod)).toEqual(['blind', 'a']);
    expect(notes[0]).toMatch(/no known usage/);
  });

  const refusals: [string, RankedNode, Parameters<typeof simulateScenario>[1], string][] = [
    ['a pod that is not there', node, { pods: [{ namespace: 'x', pod: 'a' }] }, 'unknown_pod'],
    [
      'a pod given twice',
      node,
      {
        pods: [
          { namespace: 'default', pod: 'a' },
          { namespace: 'default', pod: 'a' },
        ],
      },
      'repeated_pod',
    ],
    [
      'a node without usage',
      ranked({ pods: [podOf({ name: 'x', usageBytes: undefined })] }, '100'),
      {},
      'node_incomplete',
    ],
    ['a node of unknown size', ranked({ pods: [a], capacityBytes: undefined }, '100'), {}, 'node_incomplete'],
  ];
  test.each(refusals)('refuses %s', (_, on, scenario, kind) => {
    expect(() => simulateScenario(on, scenario)).toThrow(ScenarioError);
    expect(() => simulateScenario(on, scenario)).toThrow(expect.objectContaining({ kind }));
  });

  test.each(['0%', '0', '-1', '1Gx', ''])('refuses the threshold "%s"', (text) => {
    expect(() => readThreshold(text)).toThrow(ScenarioError);
  });
});
