import type { WorkloadRef } from '../../model/pod.ts';
import { settled } from './curves.ts';
import { caseNodes } from './demo-nodes.ts';
import type { DemoPod } from './description.ts';
import { buildPod, type ContainerSpec, pauseBytes } from './pod.ts';
import { mi } from './units.ts';

interface SeedPod {
  readonly namespace: string;
  readonly name: string;
  readonly priorityClass?: string;
  readonly owner: WorkloadRef;
  readonly workload?: WorkloadRef;
  readonly container: Omit<ContainerSpec, 'usage'>;
  readonly usageMi: number;
}

/** The worked example: the six pods, exactly, whose order shows that neither the QoS class nor the size of a pod decides. */
const seedPods: readonly SeedPod[] = [
  {
    namespace: 'prod',
    name: 'api-7d9f',
    owner: { kind: 'ReplicaSet', name: 'api' },
    workload: { kind: 'Deployment', name: 'api' },
    container: { name: 'api', request: mi(1024), limit: mi(1024), cpuRequest: 0.5, cpuLimit: 0.5 },
    usageMi: 900,
  },
  {
    namespace: 'ingress',
    name: 'ingress-nginx',
    priorityClass: 'interactive',
    owner: { kind: 'ReplicaSet', name: 'ingress' },
    workload: { kind: 'Deployment', name: 'ingress' },
    container: { name: 'controller', request: mi(256), cpuRequest: 0.1 },
    usageMi: 780,
  },
  {
    namespace: 'batch',
    name: 'batch-import',
    priorityClass: 'batch-low',
    owner: { kind: 'Job', name: 'batch-import' },
    container: { name: 'import', request: mi(2048), cpuRequest: 1 },
    usageMi: 1600,
  },
  {
    namespace: 'logging',
    name: 'log-shipper',
    owner: { kind: 'DaemonSet', name: 'log-shipper' },
    container: { name: 'shipper' },
    usageMi: 300,
  },
  {
    namespace: 'monitoring',
    name: 'metrics-agent',
    priorityClass: 'node-agents',
    owner: { kind: 'DaemonSet', name: 'metrics-agent' },
    container: { name: 'agent', request: mi(384), limit: mi(512) },
    usageMi: 300,
  },
  {
    namespace: 'data',
    name: 'redis-cache',
    priorityClass: 'interactive',
    owner: { kind: 'StatefulSet', name: 'redis-cache' },
    container: { name: 'redis', request: mi(1536), limit: mi(1536), cpuRequest: 0.25 },
    usageMi: 1442,
  },
];

export function buildSeedPods(nowMs: number): readonly DemoPod[] {
  return seedPods.map(({ container, usageMi, ...pod }) =>
    buildPod(
      {
        ...pod,
        node: caseNodes.seed,
        specialCase: 'seed-node',
        // The pause container is part of the pod's working set, so the rest is the container's.
        containers: [{ ...container, usage: settled(mi(usageMi) - pauseBytes, nowMs, pod.name) }],
      },
      nowMs,
    ),
  );
}
