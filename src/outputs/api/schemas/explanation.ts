import { z } from 'zod';
import { answerSchemas, basis, bytes, bytesOrNull, decidedBy, group, qosClass, sentences } from './common.ts';
import { cluster, ladderPod } from './reading.ts';

const comparedValues = z
  .object({
    exceedsRequest: z.boolean().nullable(),
    priority: z.int(),
    overRequestBytes: bytesOrNull,
  })
  .describe('What the kubelet compares, in its order; null = no statistics.')
  .register(answerSchemas, { id: 'ComparedValues' });

const basisExplanation = z
  .object({
    basis,
    group: group.nullable(),
    rank: z.int().nullable(),
    rankedPods: z.int().nullable(),
    usageBytes: bytesOrNull,
    values: comparedValues.nullable(),
    neighbours: z.array(
      z.object({
        other: z.enum(['before', 'after']),
        namespace: z.string(),
        pod: z.string(),
        rank: z.int().nullable(),
        decidedBy: decidedBy.exclude(['tie']),
        own: comparedValues,
        others: comparedValues,
        sentence: z.string(),
      }),
    ),
    tiedWith: z.array(z.string()),
  })
  .register(answerSchemas, { id: 'BasisExplanation' });

const place = z
  .object({ group, rank: z.int().nullable(), tied: z.boolean(), rankedPods: z.int() })
  .register(answerSchemas, { id: 'Place' });

const counterfactual = z
  .object({
    kind: z.enum(['request_covers_now', 'request_covers_peak', 'priority', 'own_peak']),
    change: z.object({
      requestBytes: bytes.optional(),
      priority: z.int().optional(),
      usageBytes: bytes.optional(),
    }),
    priorityClass: z.string().nullable(),
    now: place,
    peak: place,
    fitsOnNode: z.boolean().nullable(),
    sentence: z.string(),
  })
  .describe('What is changed about this pod alone, and where it then stands.')
  .register(answerSchemas, { id: 'Counterfactual' });

const cgroupFields = { minBytes: bytesOrNull, lowBytes: bytesOrNull, highBytes: bytesOrNull };
const cgroupMemory = z
  .object(cgroupFields)
  .describe('memory.min, memory.low and memory.high; null = not written.')
  .register(answerSchemas, { id: 'CgroupMemory' });

const quantities = z.record(z.string(), z.string());

const resources = z
  .object({
    containers: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['main', 'init', 'sidecar']),
        requests: quantities,
        limits: quantities,
        lastTerminatedReason: z.string().nullable(),
        oomScoreAdj: z.int().nullable(),
      }),
    ),
    restartPolicy: z.string().nullable(),
    qos: z.object({
      qosClass,
      summary: z.string(),
      findings: z.array(
        z.object({
          container: z.string().nullable(),
          resource: z.enum(['cpu', 'memory']).nullable(),
          reason: z.string(),
          remedy: z.string(),
        }),
      ),
      reported: qosClass.nullable(),
      difference: z.string().nullable(),
    }),
    oomSentence: z.string(),
    memoryQos: z
      .object({
        settings: z.object({
          throttlingFactor: z.number().nullable(),
          reservationPolicy: z.enum(['None', 'TieredReservation']),
        }),
        pod: cgroupMemory,
        containers: z.array(z.object({ ...cgroupFields, container: z.string(), isInit: z.boolean() })),
        ancestors: z.object({ kubepods: cgroupMemory, burstable: cgroupMemory }).nullable(),
      })
      .describe('What a kubelet with the feature MemoryQoS and these settings would write.'),
    cautions: sentences,
  })
  .register(answerSchemas, { id: 'ResourceExplanation' });

export const podExplanation = z
  .object({
    cluster,
    namespace: z.string(),
    pod: z.string(),
    uid: z.string().nullable(),
    node: z.string(),
    priorityClass: z.string().nullable(),
    workload: z.object({ kind: z.string(), name: z.string() }),
    rankedPodsOnNode: z.int(),
    timeOverRequestRatio: z.number().nullable(),
    now: ladderPod,
    peak: ladderPod,
    explanation: z.object({
      summary: z.string().describe('One plain sentence.'),
      now: basisExplanation,
      peak: basisExplanation,
      distance: z.object({ bytes: bytesOrNull, sentence: z.string() }),
      counterfactuals: z.array(counterfactual),
      resources: resources.nullable(),
      cautions: sentences,
    }),
  })
  .register(answerSchemas, { id: 'PodExplanation' });
