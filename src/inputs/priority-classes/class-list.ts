import { z } from 'zod';
import { priorityClassObject } from '../kubernetes/priority-class-object.ts';
import { KubernetesApiError } from './api-request.ts';

/** Unlike a file of a user, the API has every object right or is none. */
const classList = z.object({ kind: z.literal('PriorityClassList'), items: z.array(priorityClassObject) });

/**
 * Values by class name.
 * @throws KubernetesApiError where the answer is no list of PriorityClasses.
 */
export function parseClassList(answer: unknown): ReadonlyMap<string, number> {
  const parsed = classList.safeParse(answer);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new KubernetesApiError(
      `the answer of the Kubernetes API is not a list of PriorityClasses (${where || 'at its root'})`,
    );
  }
  return new Map(parsed.data.items.map(({ name, value }) => [name, value]));
}
