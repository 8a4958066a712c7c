/** Answers of the routes that read the snapshot. */
import { z } from 'zod';
import { problemKinds } from '../../../model/problem.ts';
import { answerSchemas, bytes, bytesOrNull, decidedBy, group, qosClass, time } from './common.ts';

export const cluster = z.string().optional().describe('Only where a cluster label is configured.');

export const ladderPodFields = {
  rank: z
    .int()
    .nullable()
    .describe('1 is evicted first; null for protected pods and on nodes that are not ranked.'),
  namespace: z.string(),
  pod: z.string(),
  group: group.nullable(),
  decidedBy: decidedBy.nullable().describe('The comparator that put the pod before the next one.'),
  tied: z.boolean(),
  priority: z.int(),
  qosClass: qosClass.nullable(),
  usageBytes: bytesOrNull,
  requestBytes: bytesOrNull,
  overRequestBytes: bytesOrNull,
  distanceBytes: bytesOrNull.describe(
    'How much more memory the node must lose before this pod goes; basis now.',
  ),
};

export const ladderPod = z.object(ladderPodFields).register(answerSchemas, { id: 'LadderPod' });

const nodePod = z
  .object({
    ...ladderPodFields,
    phase: z.enum(['Running', 'Pending']),
    isStatic: z.boolean().describe('Static and mirror pods are never evicted, whatever their priority.'),
    priorityClass: z.string().nullable(),
    workload: z.object({ kind: z.string(), name: z.string() }),
    usageNowBytes: bytesOrNull,
    usagePeakBytes: bytesOrNull,
  })
  .register(answerSchemas, { id: 'NodePod' });

export const nodeDetail = z
  .object({
    cluster,
    node: z.string(),
    complete: z.boolean(),
    availableBytes: bytesOrNull,
    thresholdBytes: bytesOrNull,
    capacityBytes: bytesOrNull,
    allocatableBytes: bytesOrNull,
    windowSeconds: z.number(),
    pods: z.array(nodePod).describe('In eviction order, protected pods last.'),
  })
  .register(answerSchemas, { id: 'NodeDetail' });

export const nodeList = z
  .object({
    nodes: z.array(
      z.object({
        cluster,
        node: z.string(),
        complete: z.boolean(),
        availableBytes: bytesOrNull,
        thresholdBytes: bytesOrNull,
        headroomBytes: bytesOrNull,
        capacityBytes: bytesOrNull,
        allocatableBytes: bytesOrNull,
        requestsBytes: bytesOrNull,
        peakBytes: bytesOrNull,
        qosOrderInversions: z.int().nullable(),
        pods: z.int(),
        groups: z.partialRecord(group, z.int()),
        groupUsageBytes: z.partialRecord(group, bytes).describe('Memory the pods of each group use now.'),
        qosClasses: z.partialRecord(qosClass, z.int()),
        firstToGo: z.object({ namespace: z.string(), pod: z.string() }).nullable(),
      }),
    ),
    evaluatedAt: time,
  })
  .register(answerSchemas, { id: 'NodeList' });

export const podList = z
  .object({
    pods: z.array(z.object({ cluster, node: z.string(), ...ladderPodFields })),
    nextCursor: z.string().nullable(),
    total: z.int().describe('Pods that fit, on all pages.'),
    evaluatedAt: time,
  })
  .register(answerSchemas, { id: 'PodList' });

export const podPeaks = z
  .object({
    namespace: z.string(),
    pod: z.string(),
    requestBytes: bytesOrNull,
    hours: z
      .array(
        z.object({
          endsAt: time,
          peakBytes: bytesOrNull.describe(
            'Highest working set in the hour; null = no data, or not read yet.',
          ),
        }),
      )
      .describe(
        'Oldest first; the last hour is still running. Empty where the window does not know the pod.',
      ),
  })
  .register(answerSchemas, { id: 'PodPeaks' });

export const workloadList = z
  .object({
    workloads: z.array(
      z.object({
        cluster,
        namespace: z.string(),
        workloadKind: z.string(),
        workload: z.string(),
        replicas: z.int(),
        requestBytes: bytesOrNull,
        peakBytes: bytesOrNull,
        recommendedRequestBytes: bytesOrNull,
        p99Bytes: bytesOrNull,
        p95Bytes: bytesOrNull,
        timeOverRequestRatio: z.number().nullable(),
        oomKills: z.number().nullable().describe('In the window.'),
        observedHours: z.int(),
        noRecommendation: z.string().nullable(),
      }),
    ),
    evaluatedAt: time,
  })
  .register(answerSchemas, { id: 'WorkloadList' });

const inputState = z.object({
  id: z.string(),
  outcome: z.enum(['ok', 'empty', 'failed']),
  source: z.string().nullable(),
  series: z.int(),
  error: z.string().nullable(),
});

const inputProblem = z.object({
  kind: z.enum(problemKinds),
  subject: z.string(),
  message: z.string(),
  remedy: z.string(),
});

export const status = z
  .object({
    version: z.string(),
    ready: z.boolean(),
    stale: z.boolean(),
    lastRefresh: z.object({
      outcome: z.enum(['ok', 'failed']).nullable(),
      error: z.string().nullable(),
      durationSeconds: z.number().nullable(),
      finishedAt: time.nullable(),
    }),
    data: z
      .object({
        evaluatedAt: time,
        ageSeconds: z.number(),
        windowSeconds: z.number(),
        windowCoverageRatio: z.number(),
        nodes: z.int(),
        incompleteNodes: z.int(),
        pods: z.int(),
        inputs: z.array(inputState),
        problems: z.array(inputProblem),
      })
      .nullable(),
  })
  .register(answerSchemas, { id: 'Status' });
