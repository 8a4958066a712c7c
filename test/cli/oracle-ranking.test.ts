import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compareText } from '../../src/foundation/text-order.ts';
import { SYSTEM_CRITICAL_PRIORITY } from '../../src/kubelet/critical.ts';
import type { Ladder } from '../../src/outputs/api/ladder.ts';
import {
  caseHead,
  caseName,
  expectedGroups,
  nullable,
  rankOutcome,
  readOracleCases,
  wholeNumber,
} from '../oracle-cases.ts';
import { containerRequesting, type ListedPod, podList, statsSummary } from './kubectl-output.ts';
import { startSession } from './session.ts';

/** Every ranking case of the kubelet, answered by the command line from the files a user would give it. */
const session = startSession();
afterAll(session.end);

interface RankingCase {
  readonly id: number;
  readonly ranked?: string[] | undefined;
  readonly rankedGroups?: string[][] | undefined;
}

async function rank(file: string, pods: readonly ListedPod[], flags: readonly string[]): Promise<Ladder> {
  const { status, stdout, stderr } = await session.run(
    'rank',
    '--pods',
    session.file(`${file}-pods.json`, podList(pods)),
    '--summary',
    session.file(`${file}-summary.json`, statsSummary(pods)),
    '--output',
    'json',
    ...flags,
  );
  expect(stderr.split('\n').filter((line) => line.includes('rror'))).toEqual([]);
  expect(status).toBe(0);
  const { nodes } = JSON.parse(stdout) as { nodes: Ladder[] };
  expect(nodes).toHaveLength(1);
  return nodes[0] as Ladder;
}

/**
 * The oracle ranks critical pods like any other; the command line lists what the kubelet then skips last. Among
 * themselves both keep the order.
 */
function expectOrder(ladder: Ladder, one: RankingCase, pods: readonly ListedPod[]): void {
  const critical = new Set(
    pods.filter(({ priority = 0 }) => priority >= SYSTEM_CRITICAL_PRIORITY).map(({ name }) => name),
  );
  const groups = expectedGroups(one);
  const evictable = groups
    .map((group) => group.filter((name) => !critical.has(name)))
    .filter((group) => group.length > 0);
  const found: string[][] = [];
  let lastRank: number | null = null;
  for (const { rank: place, pod } of ladder.pods.filter((row) => row.rank !== null)) {
    if (place === lastRank) found.at(-1)?.push(pod);
    else found.push([pod]);
    lastRank = place;
  }
  expect(found.map((group) => group.toSorted(compareText))).toEqual(evictable);
  const skipped = ladder.pods.filter((row) => row.rank === null);
  expect(skipped.every(({ group }) => group === 'protected')).toBe(true);
  expect(new Set(skipped.map(({ pod }) => pod))).toEqual(critical);
}

const name = { name: z.string(), namespace: z.string(), priority: nullable(z.int()) };

describe('rank --signal memory', () => {
  const container = z.object({ name: z.string(), requestMemoryBytes: nullable(wholeNumber) });
  const cases = readOracleCases(
    'rank_memory',
    z.object({
      ...caseHead,
      ...rankOutcome,
      pods: z.array(
        z.object({
          ...name,
          containers: z.array(container),
          initContainers: z.array(container),
          overheadMemoryBytes: nullable(wholeNumber),
          usageBytes: nullable(wholeNumber),
          statsFoundButNoWorkingSet: z.literal(true).optional(),
          exceedsRequest: nullable(z.boolean()),
        }),
      ),
    }),
  );
  for (const one of cases) {
    test(caseName(one), async () => {
      const pods = one.pods.map((pod): ListedPod => {
        const requesting = (of: z.output<typeof container>) =>
          containerRequesting(of.name, 'memory', of.requestMemoryBytes);
        const hasWorkingSet = pod.statsFoundButNoWorkingSet === undefined;
        return {
          ...pod,
          containers: pod.containers.map(requesting),
          initContainers: pod.initContainers.map(requesting),
          overhead:
            pod.overheadMemoryBytes === undefined ? undefined : { memory: String(pod.overheadMemoryBytes) },
          stats:
            pod.usageBytes === undefined
              ? undefined
              : { memory: hasWorkingSet ? { workingSetBytes: pod.usageBytes } : {} },
        };
      });
      const ladder = await rank('memory', pods, []);
      expectOrder(ladder, one, pods);
      for (const { pod, group } of ladder.pods.filter((row) => row.rank !== null)) {
        const { exceedsRequest } = one.pods.find((given) => given.name === pod) ?? {};
        expect(group).toBe(
          exceedsRequest === undefined ? 'no_stats' : exceedsRequest ? 'exceeds_request' : 'within_request',
        );
      }
    });
  }
});

describe('rank --signal nodefs and imagefs', () => {
  const container = z.object({ name: z.string(), requestEphemeralStorageBytes: nullable(wholeNumber) });
  const used = z.object({ usedBytes: nullable(wholeNumber), inodesUsed: nullable(wholeNumber) });
  const cases = readOracleCases(
    'rank_disk',
    z.object({
      ...caseHead,
      ...rankOutcome,
      signal: z.string(),
      dedicatedImageFs: z.boolean(),
      pods: z.array(
        z.object({
          ...name,
          containers: z.array(container),
          initContainers: z.array(container),
          overheadEphemeralStorageBytes: nullable(wholeNumber),
          volumes: z.array(z.object({ name: z.string(), type: z.string() })),
          stats: nullable(
            z.object({
              containers: z.array(
                z.object({ name: z.string(), rootfs: nullable(used), logs: nullable(used) }),
              ),
              volumes: z.array(used.extend({ name: z.string() })),
            }),
          ),
        }),
      ),
    }),
  );
  const mediums: Readonly<Record<string, string>> = {
    emptyDirMemory: 'Memory',
    emptyDirHugePages: 'HugePages',
  };
  const volumeOf = (volume: { name: string; type: string }): object =>
    volume.type.startsWith('emptyDir')
      ? { name: volume.name, emptyDir: { medium: mediums[volume.type] } }
      : { name: volume.name, [volume.type]: {} };

  for (const one of cases) {
    test(caseName(one), async () => {
      const pods = one.pods.map((pod): ListedPod => {
        const requesting = (of: z.output<typeof container>) =>
          containerRequesting(of.name, 'ephemeral-storage', of.requestEphemeralStorageBytes);
        const overhead = pod.overheadEphemeralStorageBytes;
        return {
          ...pod,
          containers: pod.containers.map(requesting),
          initContainers: pod.initContainers.map(requesting),
          overhead: overhead === undefined ? undefined : { 'ephemeral-storage': String(overhead) },
          volumes: pod.volumes.map(volumeOf),
          stats: pod.stats && { containers: pod.stats.containers, volume: pod.stats.volumes },
        };
      });
      const layout = one.dedicatedImageFs ? 'dedicated' : 'single';
      expectOrder(
        await rank('disk', pods, ['--signal', one.signal, '--image-filesystem', layout]),
        one,
        pods,
      );
    });
  }
});

describe('rank --signal pid', () => {
  const cases = readOracleCases(
    'rank_pid',
    z.object({
      ...caseHead,
      ...rankOutcome,
      pods: z.array(
        z.object({
          ...name,
          processCount: nullable(wholeNumber),
          statsFoundButNoProcessStats: z.literal(true).optional(),
        }),
      ),
    }),
  );
  for (const one of cases) {
    test(caseName(one), async () => {
      const pods = one.pods.map(
        (pod): ListedPod => ({
          ...pod,
          containers: [{ name: 'app' }],
          stats:
            pod.processCount === undefined
              ? undefined
              : pod.statsFoundButNoProcessStats === undefined
                ? { process_stats: { process_count: pod.processCount } }
                : {},
        }),
      );
      expectOrder(await rank('pid', pods, ['--signal', 'pid']), one, pods);
    });
  }
});
