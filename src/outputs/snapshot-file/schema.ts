import { z } from 'zod';
import { problemKinds } from '../../model/problem.ts';
import { abstentionNames } from '../../review/recommendation.ts';
import { countPods } from '../../snapshot/pod-counts.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** Raised whenever a reader of an earlier version would misread the file. */
export const formatVersion = 1;
export const formatName = 'evictrank-snapshot';

/** In the file an unknown value is null, so that every field is there. */
function known<S extends z.ZodType>(schema: S) {
  return z.nullable(schema).transform((value) => value ?? undefined);
}

/** Far above what Kubernetes can hold, and so far below what a double can that no sum of them is infinite. */
const LARGEST_NUMBER = 2 ** 100;

const number = z.number().min(-LARGEST_NUMBER).max(LARGEST_NUMBER);
const text = z.string();
const bytes = known(number);

const place = z.object({
  group: known(z.enum(['no_stats', 'exceeds_request', 'within_request', 'protected'])),
  rank: known(z.int().min(1)),
  tied: z.boolean(),
  decidedBy: known(z.enum(['no_stats', 'exceeds_request', 'priority', 'over_request', 'tie'])),
  usageBytes: bytes,
  overRequestBytes: bytes,
  usageRequestRatio: known(number),
});

const pod = z.object({
  cluster: known(text),
  namespace: text,
  name: text,
  uid: known(text),
  node: text,
  phase: z.enum(['Running', 'Pending']),
  qosClass: known(z.enum(['Guaranteed', 'Burstable', 'BestEffort'])),
  priority: z.int32(),
  priorityClass: known(text),
  isStatic: z.boolean(),
  workload: z.object({ kind: text, name: text }),
  usageBytes: bytes,
  requestBytes: bytes,
});

const node = z
  .object({
    node: z.object({
      cluster: known(text),
      name: text,
      capacityBytes: bytes,
      allocatableBytes: bytes,
      workingSetBytes: bytes,
      // Absent in files of earlier versions.
      kubeletVersion: z.nullish(text).transform((value) => value ?? undefined),
      hasUsageData: z.boolean(),
      // Files of before have ranked such a node, so there is nothing to tell.
      podsWithLostSamples: z.int().min(0).default(0),
    }),
    complete: z.boolean(),
    availableBytes: bytes,
    thresholdBytes: bytes,
    headroomBytes: bytes,
    requestsBytes: bytes,
    peakBytes: bytes,
    qosOrderInversions: known(number),
    pods: z.array(
      z.object({
        pod,
        now: place,
        peak: place,
        distanceBytes: bytes,
        timeOverRequestRatio: known(number),
      }),
    ),
  })
  .transform((read) => ({ ...read, podCounts: countPods(read.pods) }));

const workload = z.object({
  workload: z.object({ cluster: known(text), namespace: text, kind: text, name: text }),
  isStatic: z.boolean(),
  replicas: number,
  seenReplicas: number,
  requestBytes: bytes,
  peakBytes: bytes,
  hourly: known(
    z.object({
      peakBytes: number,
      medianBytes: number,
      p95Bytes: number,
      p99Bytes: number,
      observedHours: number,
      spanHours: number,
      timeOverRequestRatio: known(number),
    }),
  ),
  oomKills: known(number),
  hasMemoryAutoscaler: known(z.boolean()),
  leak: known(z.object({ growthBytesPerHour: number, resets: number })),
  initNeedBytes: bytes,
  recommendedRequestBytes: bytes,
  abstention: known(z.enum(abstentionNames)),
});

const snapshot = z.object({
  evaluatedAtMs: number,
  windowSeconds: number,
  windowCoverageRatio: number,
  requestMargin: number,
  hasClusterLabel: z.boolean(),
  nodes: z.array(node),
  workloads: z.array(workload),
  priorities: z.array(z.object({ priority: z.int32(), priorityClass: known(text), pods: number })),
  inputs: z.array(
    z.object({
      id: text,
      outcome: z.enum(['ok', 'empty', 'failed']),
      source: known(text),
      series: number,
      error: known(text),
    }),
  ),
  problems: z.array(z.object({ kind: z.enum(problemKinds), subject: text, message: text, remedy: text })),
}) satisfies z.ZodType<Snapshot>;

export const snapshotDocument = z.object({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  /** Version of evictrank that wrote it, for people. */
  writtenBy: text,
  snapshot,
});

/** What a file says it is, before the rest is looked at. */
export const documentHead = z.object({ format: z.literal(formatName), version: z.int() });
