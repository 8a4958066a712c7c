import { z } from 'zod';
import {
  answerSchemas,
  bytes,
  bytesInput,
  decidedBy,
  group,
  name,
  requestSchemas,
  sentences,
} from './common.ts';

const thresholdText = z.string().min(1).max(64);

export const simulationRequest = z
  .strictObject({
    node: name,
    cluster: name.optional(),
    extraNodeUsageBytes: bytesInput({ min: Number.MIN_SAFE_INTEGER })
      .optional()
      .describe('Memory in use on top of what is in use now, outside the pods; negative for less.'),
    threshold: thresholdText.optional().describe('Hard threshold of memory.available, such as 100Mi or 5%.'),
    minimumReclaim: thresholdText.optional().describe('evictionMinimumReclaim of memory.available.'),
    pods: z
      .array(
        z.strictObject({
          namespace: name,
          pod: name,
          priority: z.int().min(-2_147_483_648).max(2_147_483_647).optional(),
          requestBytes: bytesInput({ min: 0 }).optional(),
          usageBytes: bytesInput({ min: 0 }).optional(),
        }),
      )
      .max(1000)
      .optional(),
  })
  .describe('What is taken to be otherwise than it is; everything left out stays as measured.')
  .register(requestSchemas, { id: 'SimulationRequest' });

const simulatedPodFields = {
  namespace: z.string(),
  pod: z.string(),
  group,
  decidedBy: decidedBy.nullable(),
};

export const simulation = z
  .object({
    evictions: z.array(
      z.object({ ...simulatedPodFields, availableBeforeBytes: bytes, availableAfterBytes: bytes }),
    ),
    survivors: z.array(z.object(simulatedPodFields)),
    availableBytes: bytes,
    thresholdBytes: bytes,
    underPressure: z.boolean(),
    oomLikely: z.boolean(),
    notes: sentences,
  })
  .register(answerSchemas, { id: 'Simulation' });
