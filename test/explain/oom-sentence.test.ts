import { expect, test } from 'vitest';
import { describeOom } from '../../src/explain/oom-sentence.ts';

const clusterCritical = { priority: 2_000_000_000, priorityClass: 'system-cluster-critical' };
const nodeCritical = { priority: 2_000_001_000, priorityClass: 'system-node-critical' };
const rule =
  'Since Kubernetes 1.22 the kernel spares only those critical pods that have the priority class system-node-critical, before it spared all of them';

test.each([
  [
    'an old kubelet spares it',
    clusterCritical,
    'v1.20.2',
    `As a critical pod it is among the last that the kernel kills. ${rule}; the kubelet of this node is v1.20.2. The higher`,
  ],
  [
    'a newer one does not',
    clusterCritical,
    'v1.36.0',
    `Its containers are the first that the kernel kills. ${rule}; the kubelet of this node is v1.36.0. The higher`,
  ],
  [
    'one of unknown version is taken for a newer one',
    clusterCritical,
    undefined,
    `Its containers are the first that the kernel kills. ${rule}; the version of this node's kubelet is not known, so the newer rule is taken. The higher`,
  ],
  [
    'a node-critical pod is spared by all, and no version is named',
    nodeCritical,
    'v1.36.0',
    'As a critical pod it is among the last that the kernel kills. The higher',
  ],
  [
    'an ordinary pod is not affected',
    { priority: 0 },
    'v1.36.0',
    'Its containers are the first that the kernel kills. The higher',
  ],
])('%s', (_name, pod, version, start) => {
  expect(describeOom(pod, 'BestEffort', version).slice(0, start.length)).toBe(start);
});

test('a Guaranteed pod is spared for its class, whatever the version', () => {
  expect(describeOom(clusterCritical, 'Guaranteed', 'v1.36.0')).not.toContain('1.22');
});
