import { parseResourceList } from '../../../src/kubelet/pod-spec.ts';
import type { PodDetail } from '../../../src/model/pod-detail.ts';
import { problem } from '../../../src/model/problem.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';

/** Two nodes: one with a pod of every group and a tie, one without figures. */
export function sampleSnapshot(): Snapshot {
  const pods = [
    podOf({ name: 'api', usageBytes: 300, requestBytes: 200, priority: 5, priorityClass: 'mid' }),
    podOf({ name: 'batch', usageBytes: 400, requestBytes: 0, priority: -10, qosClass: 'BestEffort' }),
    podOf({ name: 'quiet', usageBytes: undefined }),
    podOf({ name: 'web-1', qosClass: 'Guaranteed' }),
    podOf({ name: 'web-2', qosClass: undefined, uid: undefined }),
    podOf({ name: 'agent', namespace: 'kube-system', isStatic: true }),
  ];
  const blind = podOf({ name: 'blind', node: 'n2', usageBytes: undefined });
  const snapshot = snapshotOf(
    [
      nodeOf({ pods, allocatableBytes: 1000 }),
      nodeOf({ name: 'n2', pods: [blind], capacityBytes: undefined }),
    ],
    { peaks: { api: 700, batch: 500 } },
  );
  return {
    ...snapshot,
    inputs: [
      { id: 'pods', outcome: 'ok', source: 'kube_pod_info', series: 7, error: undefined },
      { id: 'job_owner', outcome: 'failed', source: undefined, series: 0, error: 'it broke' },
    ],
    problems: [problem('node_without_usage', { subject: 'n2', message: 'no usage', remedy: 'look' })],
  };
}

export const sampleDetail: PodDetail = {
  isQosClassReported: true,
  spec: {
    containers: [
      {
        name: 'api',
        requests: parseResourceList({ cpu: '500m', memory: '150' }),
        limits: parseResourceList({ cpu: '1' }),
      },
      { name: 'log', requests: {}, limits: {} },
    ],
    initContainers: [
      { name: 'proxy', isSidecar: true, requests: parseResourceList({ memory: '50' }), limits: {} },
      { name: 'setup', isSidecar: false },
    ],
  },
  restartPolicy: 'Always',
  lastTerminations: [{ container: 'api', reason: 'OOMKilled' }],
  gaps: ['Something is not visible.'],
};
