import { z } from 'zod';
import { answerSchemas, decidedBy, group, name, requestSchemas, sentences } from './common.ts';

/** A `pods ranked for eviction` line names up to 250 pods of 64 + 253 characters. */
const LONGEST_TEXT = 100_000;

export const evictionMessageRequest = z
  .strictObject({
    message: z.string().min(1).max(LONGEST_TEXT),
    node: name
      .optional()
      .describe('Where a logged order comes from; else the node that holds most of its pods.'),
    cluster: name.optional(),
  })
  .describe("The status message of an evicted pod, or a line of the kubelet's log.")
  .register(requestSchemas, { id: 'EvictionMessageRequest' });

const namedPod = z.object({ namespace: z.string(), pod: z.string() });

export const evictionMessage = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['node_pressure', 'storage_limit']),
      summary: z.string(),
      resource: z.string().nullable(),
      threshold: z.object({ quantity: z.string(), available: z.string() }).nullable(),
      group: group.nullable(),
      decidedBy: z.enum(['exceeds_request', 'priority']).nullable(),
      named: z.array(
        z.object({
          what: z.enum(['pod', 'container']),
          name: z.string(),
          usage: z.string(),
          request: z.string(),
        }),
      ),
      reasons: sentences,
      remedies: sentences,
      caveats: sentences,
    }),
    z.object({
      kind: z.literal('ranked_pods'),
      summary: z.string(),
      pods: z.array(namedPod),
      comparison: z
        .object({
          cluster: z.string().nullable(),
          node: z.string(),
          compared: z.int(),
          agreed: z.int(),
          parting: z
            .object({
              place: z.int(),
              kubelet: namedPod,
              ours: namedPod,
              decidedBy: decidedBy.exclude(['tie']),
              sentence: z.string(),
            })
            .nullable(),
          onlyLogged: z.array(z.string()),
          onlyRanked: z.array(z.string()),
        })
        .nullable(),
    }),
    z.object({ kind: z.literal('unknown'), summary: z.string() }),
  ])
  .register(answerSchemas, { id: 'EvictionMessage' });
