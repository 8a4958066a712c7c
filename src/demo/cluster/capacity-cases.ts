import { daily, type Leak, leaking, leakRestarts, spiky, wandering } from './curves.ts';
import { caseNodes } from './demo-nodes.ts';
import { calmContainers } from './ordinary-workloads.ts';
import { deployment, type SpecialCase } from './special-case.ts';
import { dayMs, gi, hourMs, mi, minuteMs, weekMs } from './units.ts';

/** Cases about what workloads request and use. */
export const capacityCases = {
  wasteful: {
    purpose: 'requests many times what it ever used',
    build: () =>
      deployment({
        namespace: 'analytics',
        name: 'report-builder',
        replicas: 6,
        priorityClass: 'standard',
        containers: (key) => [{ request: gi(4), cpuRequest: 1, usage: daily(mi(160), mi(290), 8, key) }],
      }),
  },
  'over-requested-node': {
    purpose: 'requests 95 % of the node, uses 40 %: a scheduling problem, not an eviction problem',
    build: () => ({
      workloads: [
        {
          nodes: Array(10).fill(caseNodes.overRequested),
          spec: {
            kind: 'StatefulSet',
            namespace: 'analytics',
            name: 'warehouse',
            replicas: 10,
            containers: (key) => [{ request: mi(1420), usage: wandering(mi(560), mi(590), key) }],
          },
        },
      ],
    }),
  },
  'under-requested': {
    purpose: 'over its request for a good part of every day, far from its limit',
    build: () =>
      deployment({
        namespace: 'shop',
        name: 'checkout',
        replicas: 4,
        priorityClass: 'standard',
        containers: (key) => [
          {
            request: mi(192),
            limit: mi(1024),
            cpuRequest: 0.2,
            usage: daily(mi(150), mi(420), 15, key),
          },
        ],
      }),
  },
  leaking: {
    purpose:
      'grows until the container limit kills it, again and again; its node would cross the threshold by trend',
    build: (nowMs) => ({
      workloads: [
        {
          nodes: [caseNodes.trending],
          spec: {
            kind: 'Deployment',
            namespace: 'search',
            name: 'indexer',
            replicas: 3,
            priorityClass: 'standard',
            containers: (_key, index) => {
              const leak = indexerLeak(nowMs, index);
              return [
                {
                  request: gi(2),
                  limit: mi(4608),
                  usage: leaking(leak),
                  restarts: leakRestarts(leak, nowMs - weekMs, nowMs + dayMs).map((atMs) => ({
                    atMs,
                    reason: 'OOMKilled' as const,
                  })),
                },
              ];
            },
          },
        },
        {
          nodes: Array(4).fill(caseNodes.trending),
          spec: {
            kind: 'StatefulSet',
            namespace: 'platform',
            name: 'session-store',
            replicas: 4,
            containers: (key) => [
              { request: mi(800), limit: mi(800), usage: wandering(mi(634), mi(642), key) },
            ],
          },
        },
      ],
    }),
  },
  'oom-killed': {
    purpose: 'killed at its own limit while its node has memory to spare: no eviction',
    build: (nowMs) =>
      deployment({
        namespace: 'media',
        name: 'transcoder',
        replicas: 2,
        containers: (key) => [
          {
            request: mi(384),
            limit: mi(512),
            usage: spiky({
              lowBytes: mi(300),
              spikeBytes: mi(511),
              everyHours: 48,
              spikeMinutes: 4,
              // Lately enough to be told as news by an alert.
              lastSpikeMs: nowMs - 10 * minuteMs,
              key,
            }),
            restarts: [-144, -96, -48, 0, 48].map((hours) => ({
              atMs: nowMs + hours * hourMs - 6 * minuteMs,
              reason: 'OOMKilled' as const,
            })),
          },
        ],
      }),
  },
  spiky: {
    purpose: 'low but for ten minutes every six hours: an average or a percentile misses its need',
    build: (nowMs) =>
      deployment({
        namespace: 'analytics',
        name: 'cube-refresh',
        replicas: 2,
        containers: (key) => [
          {
            request: mi(1120),
            usage: spiky({
              lowBytes: mi(240),
              spikeBytes: mi(940),
              everyHours: 6,
              spikeMinutes: 10,
              lastSpikeMs: nowMs - 2 * hourMs,
              key,
            }),
          },
        ],
      }),
  },
  'sidecar-injected': {
    purpose: 'Guaranteed by its own container, made Burstable by an injected one without resources',
    build: () =>
      deployment({
        namespace: 'shop',
        name: 'cart',
        replicas: 4,
        priorityClass: 'business-critical',
        containers: (key) => [
          ...calmContainers(512, { isGuaranteed: true, name: 'cart' })(key),
          {
            name: 'istio-proxy',
            image: 'docker.io/istio/proxyv2:1.26.0',
            usage: wandering(mi(48), mi(56), `${key}/proxy`),
          },
        ],
      }),
  },
  'limit-range-burstable': {
    purpose: 'limits set by its owner, requests defaulted lower by a LimitRange: Burstable, not Guaranteed',
    build: () => ({
      limitRanges: [{ namespace: 'sandbox', name: 'defaults', defaultRequestBytes: mi(256) }],
      workloads: [
        {
          spec: {
            kind: 'Deployment',
            namespace: 'sandbox',
            name: 'notebook',
            replicas: 2,
            containers: (key) => [
              {
                name: 'notebook',
                request: mi(256),
                limit: mi(512),
                cpuRequest: 0.25,
                cpuLimit: 0.5,
                usage: wandering(mi(180), mi(205), key),
              },
            ],
          },
        },
      ],
    }),
  },
} as const satisfies Record<string, SpecialCase>;

/** The replica on the trending node was last killed 4.8 hours ago; the others at other times. */
function indexerLeak(nowMs: number, index: number): Leak {
  return {
    fromBytes: mi(600),
    toBytes: mi(4600),
    periodMs: 5.43 * hourMs,
    restartMs: nowMs - (4.8 - 1.7 * index) * hourMs,
  };
}
