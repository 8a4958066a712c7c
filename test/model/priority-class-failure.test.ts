import { expect, it } from 'vitest';
import { KubernetesApiError } from '../../src/inputs/priority-classes/api-request.ts';
import { buildCluster } from '../../src/model/build.ts';
import { collected } from './collected.ts';

const priorityClasses = new Map<string, number>();

it('PriorityClasses that could not be read are a problem with its remedy', () => {
  const priorityClassFailure = new KubernetesApiError('the API answered 403', { remedy: 'bind the role' });
  const { problems } = buildCluster(collected({}), { priorityClasses, priorityClassFailure });
  expect(problems).toContainEqual({
    kind: 'priority_classes_unread',
    subject: 'kubernetes.priority-classes',
    message: 'the API answered 403, so priorities come from --priority-classes and from what was read before',
    remedy: 'bind the role',
  });
});

it('PriorityClasses that were read, or were not to be, are no problem', () => {
  const { problems } = buildCluster(collected({}), { priorityClasses, priorityClassFailure: undefined });
  expect(problems.map(({ kind }) => kind)).not.toContain('priority_classes_unread');
});
