import { describe, expect, test } from 'vitest';
import { explainEviction } from '../../src/kubelet/eviction-explanation.ts';
import { parseEvictionMessage } from '../../src/kubelet/eviction-message-text.ts';

const LOW = 'The node was low on resource: ';
const CASES: readonly {
  name: string;
  message: string;
  group: string | undefined;
  reason: string;
  remedy: string;
}[] = [
  {
    name: 'a container above its request means the first group, and a larger request helps',
    message: `${LOW}memory. Threshold quantity: 100Mi, available: 84Mi. Container api was using 1408Mi, request is 1Gi, has larger consumption of memory. `,
    group: 'exceeds_request',
    reason: 'api used 1408Mi with a request of 1Gi',
    remedy: 'request at least 1408Mi of memory for api',
  },
  {
    name: 'the old wording is explained alike',
    message: `${LOW}memory. Container api was using 1408Mi, which exceeds its request of 1Gi. `,
    group: 'exceeds_request',
    reason: 'api used 1408Mi with a request of 1Gi',
    remedy: 'request at least 1408Mi of memory for api',
  },
  {
    name: 'no container named means the second group: lost on priority',
    message: `${LOW}memory. `,
    group: 'within_request',
    reason: 'no pod left had a lower priority',
    remedy: 'give it a higher priority',
  },
  {
    name: 'a pod named within its pod-level request means the second group, whatever its containers use',
    message: `${LOW}memory. Pod p was using 1Gi, request is 2Gi, has larger consumption of memory. Container c was using 1Gi, request is 0, has larger consumption of memory. `,
    group: 'within_request',
    reason: 'nothing of the pod was above its memory request',
    remedy: 'give it a higher priority',
  },
  {
    name: 'for pids the message cannot tell the group',
    message: `${LOW}pids. `,
    group: undefined,
    reason: 'names no usage of pids',
    remedy: 'a higher priority moves a pod back',
  },
  {
    name: 'a limit of its own has nothing to do with the node',
    message: 'Usage of EmptyDir volume "scratch" exceeds the limit "1Gi". ',
    group: undefined,
    reason: 'emptyDir volume scratch used more local storage than its own limit of 1Gi',
    remedy: 'raise the limit of emptyDir volume scratch',
  },
];

describe('an eviction message is explained', () => {
  for (const { name, message, group, reason, remedy } of CASES) {
    test(name, () => {
      const text = parseEvictionMessage(message);
      if (text === undefined) throw new Error('not read');
      const explanation = explainEviction(text);
      expect(explanation.group).toBe(group);
      expect(explanation.reasons.join('\n')).toContain(reason);
      expect(explanation.remedies.join('\n')).toContain(remedy);
    });
  }

  test('the threshold is told where the message has it', () => {
    const text = parseEvictionMessage(`${LOW}memory. Threshold quantity: 100Mi, available: 84Mi. `);
    expect(text && explainEviction(text).reasons[0]).toBe(
      'the node ran low on memory: 84Mi available, below the threshold of 100Mi',
    );
  });
});
