import { z } from 'zod';
import { name, priority } from './field-schemas.ts';
import type { ObjectKind } from './object-list.ts';

export const priorityClassKind: ObjectKind = {
  kind: 'PriorityClass',
  command: 'kubectl get priorityclasses -o json',
};

export const priorityClassObject = z
  .object({ metadata: z.object({ name }), value: priority })
  .transform(({ metadata, value }) => ({ name: metadata.name, value }));

export type KubernetesPriorityClass = z.output<typeof priorityClassObject>;
