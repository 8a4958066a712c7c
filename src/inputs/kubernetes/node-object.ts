import { z } from 'zod';
import { name, optional, quantities } from './field-schemas.ts';
import type { ObjectKind } from './object-list.ts';

export const nodeKind: ObjectKind = { kind: 'Node', command: 'kubectl get nodes -o json' };

export const nodeObject = z
  .object({
    metadata: z.object({ name }),
    status: optional(
      z.object({
        capacity: quantities,
        allocatable: quantities,
        nodeInfo: optional(z.object({ kubeletVersion: optional(z.string()) })),
      }),
    ),
  })
  .transform(({ metadata, status }) => ({
    name: metadata.name,
    memoryCapacity: status?.capacity?.memory,
    memoryAllocatable: status?.allocatable?.memory,
    kubeletVersion: status?.nodeInfo?.kubeletVersion,
  }));

export type KubernetesNode = z.output<typeof nodeObject>;
