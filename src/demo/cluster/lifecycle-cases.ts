import { daily, wandering } from './curves.ts';
import { calmContainers } from './ordinary-workloads.ts';
import { deployment, type SpecialCase } from './special-case.ts';
import { gi, mi } from './units.ts';

/** Cases about pods that come and go, and about who owns them. */
export const lifecycleCases = {
  'short-lived': {
    purpose: 'under a day old: too little is known for a recommendation',
    build: () =>
      deployment({
        namespace: 'ci',
        name: 'preview-412',
        replicas: 2,
        ageHours: 9,
        containers: calmContainers(512),
      }),
  },
  generations: {
    purpose: 'four generations of one Deployment in the week; the highest peak belongs to pods that are gone',
    build: () =>
      deployment({
        namespace: 'shop',
        name: 'storefront',
        replicas: 6,
        priorityClass: 'business-critical',
        containers: (key) => [generation(mi(680), key)],
        rollouts: [
          { agoHours: 130, containersBefore: (key) => [generation(mi(600), key)] },
          { agoHours: 80, containersBefore: (key) => [generation(mi(880), key)] },
          { agoHours: 20, containersBefore: (key) => [generation(mi(720), key)] },
        ],
      }),
  },
  'cron-jobs': {
    purpose: 'finished pods keep their request series for hours and use nothing',
    build: () => ({
      workloads: [
        {
          spec: {
            kind: 'CronJob',
            namespace: 'batch',
            name: 'hourly-etl',
            everyMinutes: 60,
            runMinutes: 14,
            priorityClass: 'batch-low',
            containers: (key) => [{ request: mi(1024), usage: wandering(mi(700), mi(830), key) }],
          },
        },
        {
          spec: {
            kind: 'CronJob',
            namespace: 'batch',
            name: 'cleanup',
            everyMinutes: 30,
            runMinutes: 6,
            containers: (key) => [{ request: mi(128), usage: wandering(mi(80), mi(100), key) }],
          },
        },
      ],
    }),
  },
  'memory-hpa': {
    purpose: 'scaled on its memory: another request would change the number of pods',
    build: () => ({
      autoscalers: [
        {
          namespace: 'shop',
          name: 'recommendations',
          target: { kind: 'Deployment', name: 'recommendations' },
        },
      ],
      workloads: [
        {
          spec: {
            kind: 'Deployment',
            namespace: 'shop',
            name: 'recommendations',
            replicas: 5,
            priorityClass: 'standard',
            containers: calmContainers(768),
          },
        },
      ],
    }),
  },
  'bare-owners': {
    purpose: 'a bare pod, a ReplicaSet without a Deployment and a Job without a CronJob are workloads too',
    build: () => ({
      workloads: [
        {
          spec: {
            kind: 'Pod',
            namespace: 'tools',
            name: 'debug-shell',
            containers: calmContainers(128),
          },
        },
        {
          spec: {
            kind: 'ReplicaSet',
            namespace: 'tools',
            name: 'legacy-proxy',
            replicas: 2,
            containers: calmContainers(256),
          },
        },
        {
          spec: {
            kind: 'Job',
            namespace: 'batch',
            name: 'backfill',
            ageHours: 30,
            priorityClass: 'batch-low',
            containers: calmContainers(1024),
          },
        },
      ],
    }),
  },
} as const satisfies Record<string, SpecialCase>;

function generation(highBytes: number, key: string) {
  return { request: gi(1), cpuRequest: 0.25, usage: daily(highBytes * 0.5, highBytes, 16, key) };
}
