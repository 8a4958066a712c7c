import { daily, wandering } from './curves.ts';
import type { ContainerSpec } from './pod.ts';
import { randomOf } from './random.ts';
import { mi } from './units.ts';
import type { DaemonSetSpec, WorkloadSpec } from './workload.ts';

interface ServiceRow {
  readonly namespace: string;
  readonly name: string;
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly requestMi: number;
  /** Guaranteed where limits equal requests for memory and CPU. */
  readonly isGuaranteed?: boolean;
  /** `business-critical`, the highest class, on most of them: that is the case "priority-inflation". */
  readonly priorityClass?: string;
  /** Share of all ordinary pods. */
  readonly weight: number;
}

const critical = 'business-critical';

/** Well-behaved services: at their peak they use four fifths of their request, which is where it should be. */
const serviceRows: readonly ServiceRow[] = [
  {
    namespace: 'shop',
    name: 'catalog',
    kind: 'Deployment',
    requestMi: 640,
    priorityClass: critical,
    weight: 6,
  },
  {
    namespace: 'shop',
    name: 'pricing',
    kind: 'Deployment',
    requestMi: 384,
    priorityClass: critical,
    weight: 6,
  },
  {
    namespace: 'shop',
    name: 'wishlist',
    kind: 'Deployment',
    requestMi: 256,
    priorityClass: critical,
    weight: 4,
  },
  {
    namespace: 'shop',
    name: 'gateway',
    kind: 'Deployment',
    requestMi: 512,
    priorityClass: critical,
    weight: 6,
    isGuaranteed: true,
  },
  {
    namespace: 'payments',
    name: 'authorizer',
    kind: 'Deployment',
    requestMi: 768,
    priorityClass: critical,
    weight: 5,
    isGuaranteed: true,
  },
  {
    namespace: 'payments',
    name: 'settlement',
    kind: 'Deployment',
    requestMi: 512,
    priorityClass: critical,
    weight: 4,
  },
  {
    namespace: 'search',
    name: 'query',
    kind: 'Deployment',
    requestMi: 1024,
    priorityClass: critical,
    weight: 5,
  },
  {
    namespace: 'search',
    name: 'suggest',
    kind: 'Deployment',
    requestMi: 384,
    priorityClass: critical,
    weight: 4,
  },
  {
    namespace: 'media',
    name: 'image-proxy',
    kind: 'Deployment',
    requestMi: 512,
    priorityClass: critical,
    weight: 5,
  },
  {
    namespace: 'media',
    name: 'playlists',
    kind: 'Deployment',
    requestMi: 256,
    priorityClass: critical,
    weight: 3,
  },
  {
    namespace: 'accounts',
    name: 'login',
    kind: 'Deployment',
    requestMi: 320,
    priorityClass: critical,
    weight: 5,
  },
  {
    namespace: 'accounts',
    name: 'profile',
    kind: 'Deployment',
    requestMi: 448,
    priorityClass: critical,
    weight: 4,
  },
  {
    namespace: 'platform',
    name: 'feature-flags',
    kind: 'Deployment',
    requestMi: 192,
    priorityClass: 'standard',
    weight: 3,
  },
  {
    namespace: 'platform',
    name: 'notifications',
    kind: 'Deployment',
    requestMi: 384,
    priorityClass: 'standard',
    weight: 3,
  },
  { namespace: 'platform', name: 'webhooks', kind: 'Deployment', requestMi: 256, weight: 3 },
  {
    namespace: 'analytics',
    name: 'collector',
    kind: 'Deployment',
    requestMi: 512,
    priorityClass: 'standard',
    weight: 4,
  },
  { namespace: 'analytics', name: 'sessionizer', kind: 'StatefulSet', requestMi: 1536, weight: 2 },
  {
    namespace: 'data',
    name: 'postgres',
    kind: 'StatefulSet',
    requestMi: 2048,
    priorityClass: critical,
    weight: 1,
    isGuaranteed: true,
  },
  {
    namespace: 'data',
    name: 'queue',
    kind: 'StatefulSet',
    requestMi: 1024,
    priorityClass: critical,
    weight: 2,
  },
  { namespace: 'team-a', name: 'web', kind: 'StatefulSet', requestMi: 256, weight: 1 },
  { namespace: 'team-b', name: 'web', kind: 'StatefulSet', requestMi: 256, weight: 1 },
];

/** Containers that stay below four fifths of their request, with a day's rhythm or without one. */
export function calmContainers(
  requestMi: number,
  { isGuaranteed = false, name = 'app' }: { isGuaranteed?: boolean; name?: string } = {},
): (key: string) => readonly ContainerSpec[] {
  return (key) => {
    const high = mi(requestMi) * (0.77 + 0.03 * randomOf(`${key}/high`));
    const hasDays = randomOf(`${key}/days`) < 0.6;
    return [
      {
        name,
        request: mi(requestMi),
        limit: isGuaranteed ? mi(requestMi) : Math.round(mi(requestMi) * 1.5),
        cpuRequest: requestMi / 4096,
        cpuLimit: isGuaranteed ? requestMi / 4096 : undefined,
        usage: hasDays
          ? daily(high * 0.6, high, 14 + 4 * randomOf(`${key}/hour`), key)
          : wandering(high * 0.85, high, key),
      },
    ];
  };
}

/** So many ordinary pods, shared out by weight; at least one of each service. */
export function ordinaryWorkloads(pods: number): readonly WorkloadSpec[] {
  const weights = serviceRows.reduce((sum, { weight }) => sum + weight, 0);
  let givenWeight = 0;
  let givenPods = 0;
  return serviceRows.map(({ namespace, name, kind, priorityClass, requestMi, isGuaranteed, weight }) => {
    givenWeight += weight;
    const replicas = Math.max(1, Math.round((pods * givenWeight) / weights) - givenPods);
    givenPods += replicas;
    const containers = calmContainers(requestMi, { isGuaranteed: isGuaranteed ?? false });
    return { namespace, name, kind, priorityClass, replicas, containers };
  });
}

/** On every node but the seed node. */
export const daemonSets: readonly DaemonSetSpec[] = [
  {
    kind: 'DaemonSet',
    namespace: 'kube-system',
    name: 'kube-proxy',
    priorityClass: 'system-node-critical',
    pod: { isHostNetwork: true },
    containers: (key) => [{ name: 'kube-proxy', cpuRequest: 0.1, usage: wandering(mi(38), mi(46), key) }],
  },
  {
    kind: 'DaemonSet',
    namespace: 'kube-system',
    name: 'cilium',
    priorityClass: 'system-node-critical',
    pod: { isHostNetwork: true },
    containers: (key) => [
      { name: 'cilium-agent', request: mi(256), cpuRequest: 0.1, usage: wandering(mi(170), mi(200), key) },
    ],
  },
  {
    kind: 'DaemonSet',
    namespace: 'monitoring',
    name: 'node-exporter',
    priorityClass: 'node-agents',
    pod: { isHostNetwork: true },
    containers: (key) => [
      { name: 'node-exporter', request: mi(48), limit: mi(96), usage: wandering(mi(30), mi(38), key) },
    ],
  },
  {
    kind: 'DaemonSet',
    namespace: 'logging',
    name: 'vector',
    priorityClass: 'node-agents',
    containers: (key) => [
      { name: 'vector', request: mi(192), limit: mi(384), usage: wandering(mi(120), mi(150), key) },
    ],
  },
];
