import { wandering } from './curves.ts';
import { caseNodes, evictionsAround } from './demo-nodes.ts';
import type { DemoPod } from './description.ts';
import { calmContainers } from './ordinary-workloads.ts';
import { buildPod } from './pod.ts';
import { suffixOf } from './random.ts';
import { deployment, type SpecialCase } from './special-case.ts';
import { hourMs, mi } from './units.ts';

/** Cases about a whole node. */
export const nodeCases = {
  'static-pods': {
    purpose: 'pods owned by their node are ranked by the kubelet and never evicted',
    build: (nowMs) => ({ pods: caseNodes.controlPlane.flatMap((node) => staticPods(node, nowMs)) }),
  },
  'scrape-hole': {
    purpose: 'a node whose cAdvisor target is gone: no usage is not "no stats"',
    build: () => ({}),
  },
  'near-threshold-node': {
    purpose: 'little headroom, and the first pod next to go, without a workload to blame',
    build: () =>
      deployment(
        {
          namespace: 'media',
          name: 'captions',
          replicas: 8,
          priorityClass: 'standard',
          containers: calmContainers(1024),
        },
        Array(8).fill(caseNodes.nearThreshold),
      ),
  },
  'node-under-pressure': {
    purpose: 'below the threshold now; evictions on both memory signals; evicted pods still listed',
    build: (nowMs) => ({
      pods: evictedPods(nowMs),
      workloads: [
        {
          nodes: Array(8).fill(caseNodes.underPressure),
          spec: {
            kind: 'Deployment',
            namespace: 'media',
            name: 'waveforms',
            replicas: 8,
            priorityClass: 'standard',
            containers: calmContainers(1024),
          },
        },
      ],
    }),
  },
  unschedulable: {
    purpose: 'a request above any node: the pod has no node and is ranked nowhere',
    build: () => ({
      workloads: [
        {
          nodes: 'none',
          spec: {
            kind: 'Pod',
            namespace: 'analytics',
            name: 'whole-genome',
            ageHours: 40,
            containers: () => [{ request: mi(900 * 1024), cpuRequest: 8 }],
          },
        },
      ],
    }),
  },
} as const satisfies Record<string, SpecialCase>;

const staticComponents = [
  { name: 'etcd', request: mi(100), cpuRequest: 0.1, usageMi: 310 },
  { name: 'kube-apiserver', request: undefined, cpuRequest: 0.25, usageMi: 1150 },
  { name: 'kube-controller-manager', request: undefined, cpuRequest: 0.2, usageMi: 160 },
  { name: 'kube-scheduler', request: undefined, cpuRequest: 0.1, usageMi: 75 },
] as const;

function staticPods(node: string, nowMs: number): readonly DemoPod[] {
  return staticComponents.map(({ name, request, cpuRequest, usageMi }) =>
    buildPod(
      {
        namespace: 'kube-system',
        name: `${name}-${node}`,
        node,
        priorityClass: 'system-node-critical',
        owner: { kind: 'Node', name: node },
        isHostNetwork: true,
        specialCase: 'static-pods',
        containers: [
          { name, request, cpuRequest, usage: wandering(mi(usageMi * 0.9), mi(usageMi), `${name}/${node}`) },
        ],
      },
      nowMs,
    ),
  );
}

/** One BestEffort pod after the other on the node under pressure: evicted, listed for ten hours, replaced. */
function evictedPods(nowMs: number): readonly DemoPod[] {
  const replicaSet = `thumbnailer-${suffixOf('media/thumbnailer', 10)}`;
  const evictions = evictionsAround(nowMs);
  return [...evictions, undefined].map((eviction, index) => {
    const previous = evictions[index - 1];
    return buildPod(
      {
        namespace: 'media',
        name: `${replicaSet}-${suffixOf(`${replicaSet}/${index}`, 5)}`,
        node: caseNodes.underPressure,
        owner: { kind: 'ReplicaSet', name: replicaSet },
        workload: { kind: 'Deployment', name: 'thumbnailer' },
        specialCase: 'node-under-pressure',
        ...(previous === undefined ? {} : { createdMs: previous.atMs + 10_000 }),
        end: eviction && { atMs: eviction.atMs, phase: 'Failed', reason: 'Evicted' },
        deletedMs: eviction && eviction.atMs + 10 * hourMs,
        containers: [{ usage: wandering(mi(320), mi(380), replicaSet) }],
      },
      nowMs,
    );
  });
}
