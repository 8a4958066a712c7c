import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readOracleFile } from '../oracle-cases.ts';
import { podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

const resources = z.record(z.string(), z.string());
const oracle = z
  .object({
    node: z.object({ capacityBytes: z.int(), hardThreshold: z.string() }),
    pods: z.array(
      z.object({
        namespace: z.string(),
        name: z.string(),
        priority: z.int(),
        usageBytes: z.int(),
        containers: z.array(z.object({ name: z.string(), requests: resources, limits: resources })),
      }),
    ),
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

const mi = 2 ** 20;
/** What runs outside pods when the files are taken; the scenarios add to it. */
const daemonsAtStartMi = 512;

const session = startSession();
afterAll(session.end);

const pods = oracle.pods.map(({ containers, usageBytes, ...pod }) => ({
  ...pod,
  containers: containers.map(({ name, requests, limits }) => ({ name, resources: { requests, limits } })),
  stats: { memory: { workingSetBytes: usageBytes } },
}));
const workingSetBytes = pods.reduce(
  (sum, { stats }) => sum + stats.memory.workingSetBytes,
  daemonsAtStartMi * mi,
);
const files = [
  '--pods',
  session.file('pods.json', podList(pods)),
  '--summary',
  session.file(
    'summary.json',
    statsSummary(pods, {
      memory: { workingSetBytes, availableBytes: oracle.node.capacityBytes - workingSetBytes },
    }),
  ),
];

interface Simulation {
  readonly evictions: readonly { pod: string; availableBeforeBytes: number; availableAfterBytes: number }[];
  readonly survivors: readonly { pod: string }[];
  readonly underPressure: boolean;
}

describe('the worked example on the command line', () => {
  test('has nine scenarios', () => {
    expect(oracle.scenarios).toHaveLength(9);
  });

  test.each(oracle.scenarios)(
    'simulate: daemons $daemonsMi Mi, priorities $priorityOverrides',
    async ({ daemonsMi, priorityOverrides, evicted, order }) => {
      const changes = Object.entries(priorityOverrides).flatMap(([name, priority]) => {
        const { namespace } = pods.find((pod) => pod.name === name) ?? {};
        return ['--pod', `${namespace}/${name},priority=${priority}`];
      });
      const { status, stdout } = await session.run(
        'simulate',
        ...files,
        ...['--node', 'node-1', '--extra-node-usage', `${daemonsMi - daemonsAtStartMi}Mi`],
        ...['--threshold', oracle.node.hardThreshold, '--output', 'json'],
        ...changes,
      );
      expect(status).toBe(0);
      const { evictions, survivors, underPressure } = JSON.parse(stdout) as Simulation;
      expect(
        evictions.map((one) => ({
          pod: one.pod,
          availableBeforeMi: one.availableBeforeBytes / mi,
          availableAfterMi: one.availableAfterBytes / mi,
        })),
      ).toEqual(evicted);
      expect([...evictions, ...survivors].map(({ pod }) => pod)).toEqual(order);
      expect(underPressure).toBe(false);
    },
  );
});
