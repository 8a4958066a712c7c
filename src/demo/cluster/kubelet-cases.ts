import { constant, wandering } from './curves.ts';
import { calmContainers } from './ordinary-workloads.ts';
import { unmappedPriorityClass } from './priority-classes.ts';
import { buildSeedPods } from './seed-node.ts';
import { deployment, type SpecialCase } from './special-case.ts';
import { hourMs, mi, minuteMs } from './units.ts';

/** Cases about the order of eviction and about how the inputs can look. */
export const kubeletCases = {
  'seed-node': {
    purpose: 'the worked example: six pods whose order neither QoS class nor size explains',
    build: (nowMs) => ({ pods: buildSeedPods(nowMs) }),
  },
  'system-critical': {
    purpose: 'priority 2000000000 and above protects a pod wherever it runs',
    build: () =>
      deployment({
        namespace: 'kube-system',
        name: 'coredns',
        replicas: 3,
        priorityClass: 'system-cluster-critical',
        containers: (key) => [
          {
            name: 'coredns',
            request: mi(70),
            limit: mi(170),
            cpuRequest: 0.1,
            usage: wandering(mi(40), mi(55), key),
          },
        ],
      }),
  },
  'pod-overhead': {
    purpose: 'the overhead of a RuntimeClass is part of the request',
    build: () =>
      deployment({
        namespace: 'sandbox',
        name: 'untrusted-runner',
        replicas: 2,
        pod: { overheadBytes: mi(160), runtimeClass: 'kata' },
        containers: calmContainers(512),
      }),
  },
  'init-and-sidecars': {
    purpose: 'a large init container decides the request; a native sidecar adds to it',
    build: () =>
      deployment({
        namespace: 'payments',
        name: 'ledger',
        replicas: 3,
        priorityClass: 'business-critical',
        containers: (key) => [
          {
            name: 'istio-proxy',
            role: 'sidecar',
            request: mi(128),
            usage: wandering(mi(80), mi(100), `${key}/proxy`),
          },
          { name: 'migrate', role: 'init', request: mi(768) },
          { name: 'ledger', request: mi(512), usage: wandering(mi(560), mi(640), key) },
        ],
      }),
  },
  'best-effort': {
    purpose: 'no request at all: any usage exceeds it',
    build: () =>
      deployment({
        namespace: 'tools',
        name: 'link-checker',
        replicas: 3,
        containers: (key) => [{ usage: wandering(mi(60), mi(90), key) }],
      }),
  },
  'best-effort-in-protected-namespace': {
    purpose: 'a pod without requests in a namespace that matters',
    build: () =>
      deployment({
        namespace: 'payments',
        name: 'receipt-mailer',
        replicas: 2,
        priorityClass: 'standard',
        containers: (key) => [{ usage: wandering(mi(90), mi(140), key) }],
      }),
  },
  'no-stats': {
    purpose: 'a running pod the kubelet has no usage of goes first of all',
    build: () =>
      deployment({
        namespace: 'platform',
        name: 'ghost',
        replicas: 2,
        pod: { hasStats: false },
        containers: calmContainers(256),
      }),
  },
  'guaranteed-of-low-priority': {
    purpose: 'looks safe by its class and goes before a Burstable pod within its request',
    build: () =>
      deployment({
        namespace: 'batch',
        name: 'model-scorer',
        replicas: 2,
        priorityClass: 'preemptible',
        containers: calmContainers(1024, { isGuaranteed: true }),
      }),
  },
  'high-priority-over-request': {
    purpose: 'priority does not help a pod that exceeds its request',
    build: () =>
      deployment({
        namespace: 'payments',
        name: 'fraud-scorer',
        replicas: 2,
        priorityClass: 'business-critical',
        containers: (key) => [{ request: mi(256), limit: mi(1024), usage: wandering(mi(430), mi(470), key) }],
      }),
  },
  'unmapped-priority-class': {
    purpose: 'no exporter shows the value of a class: an unknown one is taken as 0 and reported',
    build: () =>
      deployment({
        namespace: 'platform',
        name: 'legacy-agent',
        replicas: 2,
        priorityClass: unmappedPriorityClass,
        containers: calmContainers(256),
      }),
  },
  'recreated-pod': {
    purpose: 'a StatefulSet pod keeps its name with a new uid while the old series are still fresh',
    build: () => ({
      workloads: [
        {
          spec: {
            kind: 'StatefulSet',
            namespace: 'data',
            name: 'kafka',
            replicas: 3,
            priorityClass: 'business-critical',
            containers: calmContainers(1536),
            recreated: { ordinal: 1, agoMs: 2 * minuteMs },
          },
        },
      ],
    }),
  },
  'restarted-container': {
    purpose: 'after every restart the old and the new container are both fresh: a sum counts twice',
    build: (nowMs) =>
      deployment({
        namespace: 'platform',
        name: 'flaky-bridge',
        replicas: 1,
        containers: () => [
          {
            request: mi(384),
            usage: constant(mi(280)),
            restarts: Array.from({ length: 260 }, (_, index) => ({
              atMs: nowMs - hourMs + (index * 6 + 5) * minuteMs,
              reason: 'Error' as const,
            })),
          },
        ],
      }),
  },
  'one-pod-name-twice': {
    purpose: 'pod names repeat across namespaces: `web-0` is in team-a and in team-b',
    build: () => ({}),
  },
  'priority-inflation': {
    purpose: 'most pods share the highest priority class, so it protects none of them',
    build: () => ({}),
  },
} as const satisfies Record<string, SpecialCase>;
