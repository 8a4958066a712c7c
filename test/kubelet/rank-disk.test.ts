import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Amount } from '../../src/kubelet/amount.ts';
import type { EvictionCandidate } from '../../src/kubelet/candidate.ts';
import {
  type DiskSignal,
  measuredStats,
  podDiskUsage,
  type VolumeSpec,
} from '../../src/kubelet/disk-usage.ts';
import { diskPolicy, inodesPolicy } from '../../src/kubelet/policies.ts';
import { groupOf, rankCandidates } from '../../src/kubelet/rank.ts';
import { effectiveRequest } from '../../src/kubelet/request.ts';
import { SIGNALS } from '../../src/kubelet/signals.ts';
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

const container = z.strictObject({ name: z.string(), requestEphemeralStorageBytes: nullable(wholeNumber) });
const used = { usedBytes: nullable(wholeNumber), inodesUsed: nullable(wholeNumber) };
/** How the oracle names the sources of volumes. */
const VOLUME_SOURCES = {
  emptyDir: { emptyDir: {} },
  emptyDirMemory: { emptyDir: { medium: 'Memory' } },
  emptyDirHugePages: { emptyDir: { medium: 'HugePages' } },
  hostPath: { hostPath: {} },
  configMap: { configMap: {} },
  gitRepo: { gitRepo: {} },
  secret: {},
  projected: {},
  downwardAPI: {},
  persistentVolumeClaim: {},
} as const satisfies Record<string, Omit<VolumeSpec, 'name'>>;
const pod = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  priority: nullable(z.int()),
  containers: z.array(container),
  initContainers: z.array(container),
  overheadEphemeralStorageBytes: nullable(wholeNumber),
  volumes: z.array(z.strictObject({ name: z.string(), type: z.literal(Object.keys(VOLUME_SOURCES)) })),
  stats: nullable(
    z.strictObject({
      containers: z.array(
        z.strictObject({
          name: z.string(),
          rootfs: nullable(z.strictObject(used)),
          logs: nullable(z.strictObject(used)),
        }),
      ),
      volumes: z.array(z.strictObject({ name: z.string(), ...used })),
    }),
  ),
  measuredUsage: nullable(wholeNumber),
  exceedsRequest: nullable(z.boolean()),
  exceedsComparedTo: wholeNumber,
  subtractedRequest: wholeNumber,
});
const cases = readOracleCases(
  'rank_disk',
  z.strictObject({
    ...caseHead,
    ...rankOutcome,
    signal: z.literal(
      Object.keys(SIGNALS).filter((signal): signal is DiskSignal => /^(nodefs|imagefs)\./.test(signal)),
    ),
    dedicatedImageFs: z.boolean(),
    resource: z.enum(['ephemeral-storage', 'inodes']),
    statsMeasured: z.array(z.string()),
    pods: z.array(pod),
  }),
);
type Case = (typeof cases)[number];

function toCandidate(one: Case, pod_: z.output<typeof pod>): EvictionCandidate<Amount> {
  const { name, namespace, priority = 0, stats } = pod_;
  const volumes = pod_.volumes.map(({ name: volume, type }) => ({
    name: volume,
    ...VOLUME_SOURCES[type as keyof typeof VOLUME_SOURCES],
  }));
  const measure = {
    stats: measuredStats(one.signal, one.dedicatedImageFs ? 'dedicated' : 'single'),
    resource: one.resource,
  };
  return {
    namespace,
    name,
    priority,
    usage: stats === undefined ? undefined : podDiskUsage(stats, volumes, measure),
    request: effectiveRequest({
      containers: pod_.containers.map(({ requestEphemeralStorageBytes }) => requestEphemeralStorageBytes),
      initContainers: pod_.initContainers.map(({ requestEphemeralStorageBytes: request }) => ({
        request,
        isSidecar: false,
      })),
      overhead: pod_.overheadEphemeralStorageBytes,
    }),
    isProtected: false,
  };
}

describe('the kubelet ranks pods under disk pressure', () => {
  for (const one of cases) {
    test(`${caseName(one)}, ${one.signal}`, () => {
      expect(SIGNALS[one.signal].resource).toBe(one.resource);
      expect(measuredStats(one.signal, one.dedicatedImageFs ? 'dedicated' : 'single')).toEqual(
        one.statsMeasured,
      );
      const policy = one.resource === 'inodes' ? inodesPolicy : diskPolicy;
      const candidates = one.pods.map((pod_) => toCandidate(one, pod_));
      for (const [index, candidate] of candidates.entries()) {
        const expected = one.pods[index];
        expect(candidate.usage).toBe(expected?.measuredUsage);
        expect(candidate.request).toBe(expected?.subtractedRequest);
        expect(one.resource === 'inodes' ? 0 : candidate.request).toBe(expected?.exceedsComparedTo);
        expect(groupOf(candidate, policy)).toBe(
          expected?.exceedsRequest === undefined
            ? 'no_stats'
            : expected.exceedsRequest
              ? 'exceeds_request'
              : 'within_request',
        );
      }
      expect(tieGroups(rankCandidates(candidates, policy))).toEqual(expectedGroups(one));
    });
  }
});

describe('a split image filesystem holds nothing a pod could free', () => {
  test('imagefs measures none of a pod, nodefs and containerfs all of it', () => {
    expect(measuredStats('imagefs.available', 'split')).toEqual([]);
    expect(measuredStats('containerfs.available', 'split')).toEqual(['rootfs', 'logs', 'localVolumes']);
    expect(measuredStats('nodefs.available', 'split')).toEqual(['rootfs', 'logs', 'localVolumes']);
    expect(measuredStats('containerfs.inodesFree', 'dedicated')).toEqual(['rootfs']);
  });
});
