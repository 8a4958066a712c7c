import { describe, expect, test } from 'vitest';
import { quantityToNumber } from '../../src/foundation/quantity.ts';
import { compareText } from '../../src/foundation/text-order.ts';
import type { FilesystemLayout } from '../../src/kubelet/disk-usage.ts';
import { CURRENT_RULES } from '../../src/kubelet/kubelet-version.ts';
import type { Observations } from '../../src/kubelet/pass-eviction.ts';
import { podRequest } from '../../src/kubelet/pod-request.ts';
import { parseResourceList } from '../../src/kubelet/pod-spec.ts';
import { INITIAL_STATE, type ManagerState, type Pass, synchronize } from '../../src/kubelet/synchronize.ts';
import { parseThresholdConfig } from '../../src/kubelet/threshold-config.ts';
import { caseName, readOracleCases } from '../oracle-cases.ts';
import { EvictionWorld, managerConfig, type ScenarioStep, scenario, toManagedPod } from './eviction-world.ts';

const cases = readOracleCases('synchronize', scenario);

function expectObserved(observations: Observations, step: ScenarioStep): void {
  expect(observations.get('memory.available')?.available).toBe(step.availableBytes);
  expect(observations.get('allocatableMemory.available')?.available).toBe(step.allocatableAvailableBytes);
  expect(observations.get('pid.available')?.available).toBe(step.pidAvailable);
  expect(observations.get('nodefs.available')?.available).toBe(step.nodefsAvailableBytes);
}

describe('the eviction manager passes', () => {
  for (const one of cases) {
    test(caseName(one), () => {
      for (const pod of one.pods) {
        const managed = toManagedPod(pod);
        expect(managed.isProtected).toBe(pod.isCriticalPod);
        expect(quantityToNumber(podRequest(managed.spec, 'memory'))).toBe(pod.requestBytes);
      }
      const config = managerConfig(one);
      const world = new EvictionWorld(one);
      let state: ManagerState = INITIAL_STATE;
      const order: string[] = [];
      for (const step of one.steps) {
        world.change(step);
        const nowMs = step.t * 1000;
        const observations = world.observe(nowMs);
        expectObserved(observations, step);
        const outcome = synchronize({ config, state, nowMs, observations, activePods: world.pods });
        const evictions = outcome.evictions.toSorted((a, b) => compareText(a.pod.name, b.pod.name));
        const names = evictions.map(({ pod }) => pod.name);
        expect(names).toEqual(step.evicted === undefined ? [] : [step.evicted, ...step.alsoEvicted]);
        expect(evictions[0]?.gracePeriodSeconds).toBe(step.gracePeriodOverrideSeconds);
        expect(evictions[0]?.message).toBe(step.message);
        // The oracle leaves out what is empty.
        expect(evictions[0]?.annotations ?? {}).toEqual(step.annotations ?? {});
        expect(outcome.reclaiming && `Attempting to reclaim ${outcome.reclaiming}`).toBe(step.reclaiming);
        expect({
          memoryPressure: outcome.conditions.includes('MemoryPressure'),
          diskPressure: outcome.conditions.includes('DiskPressure'),
          pidPressure: outcome.conditions.includes('PIDPressure'),
        }).toEqual({
          memoryPressure: step.memoryPressure,
          diskPressure: step.diskPressure,
          pidPressure: step.pidPressure,
        });
        state = outcome.state;
        world.remove(names);
        order.push(...names);
      }
      expect(order).toEqual(one.evictionOrder);
    });
  }
});

describe('beyond the recorded scenarios', () => {
  const GIB = 2 ** 30;
  const config = {
    thresholds: parseThresholdConfig({
      enforceNodeAllocatable: [],
      evictionHard: { 'memory.available': '1Gi' },
      evictionSoft: { 'memory.available': '2Gi' },
      evictionSoftGracePeriod: { 'memory.available': '30s' },
      evictionMinimumReclaim: {},
    }),
    maxPodGracePeriodSeconds: 60,
    pressureTransitionPeriodMs: 300_000,
    layout: 'single',
    rules: CURRENT_RULES,
  } as const;
  const pod = {
    namespace: 'ns',
    name: 'pod',
    priority: 0,
    isProtected: false,
    spec: { containers: [{ name: 'app' }], initContainers: [] },
    volumes: [],
    stats: {
      memoryWorkingSetBytes: GIB,
      containers: [{ name: 'app', memoryWorkingSetBytes: GIB }],
      volumes: [],
    },
  };
  const pass = (facts: { nowMs: number; available: number; takenAtMs?: number } & Partial<Pass>) => {
    const { available, takenAtMs = facts.nowMs, ...others } = facts;
    return synchronize({
      config,
      state: INITIAL_STATE,
      observations: new Map([['memory.available', { available, capacity: 8 * GIB, takenAtMs }]]),
      activePods: [pod],
      ...others,
    });
  };

  test('statistics no newer than those of the last pass evict nothing', () => {
    const first = pass({ nowMs: 0, available: 0 });
    const stale = pass({ nowMs: 10_000, available: 0, takenAtMs: 0, state: first.state });
    const fresh = pass({ nowMs: 20_000, available: 0, state: stale.state });
    expect([first, stale, fresh].map(({ evictions }) => evictions.length)).toEqual([1, 0, 1]);
    expect(stale.conditions).toEqual(['MemoryPressure']);
  });

  test('where a hard and a soft threshold are both met, the hard one decides the grace period', () => {
    const { state } = pass({ nowMs: 0, available: 1.5 * GIB });
    expect(pass({ nowMs: 30_000, available: GIB / 2, state }).evictions[0]?.gracePeriodSeconds).toBe(1);
  });

  test('for a soft threshold the pod gets its own grace period where that is shorter', () => {
    const { state } = pass({ nowMs: 0, available: 1.5 * GIB });
    const soft = (terminationGracePeriodSeconds: number) =>
      pass({
        nowMs: 30_000,
        available: 1.5 * GIB,
        state,
        activePods: [{ ...pod, terminationGracePeriodSeconds }],
      }).evictions[0]?.gracePeriodSeconds;
    expect([soft(5), soft(600)]).toEqual([5, 60]);
  });

  test('the pressure condition ends when the transition period is over', () => {
    const { state } = pass({ nowMs: 0, available: 0 });
    const conditions = (nowMs: number) => pass({ nowMs, available: 4 * GIB, state }).conditions;
    expect(conditions(299_999)).toEqual(['MemoryPressure']);
    expect(conditions(300_000)).toEqual([]);
  });

  test('the message of later versions names the threshold', () => {
    expect(pass({ nowMs: 0, available: GIB / 2 }).evictions[0]?.message).toContain(
      'Threshold quantity: 1Gi, available: 512Mi. Container app was using 1Gi, request is 0, ',
    );
  });

  test('an emptyDir over its own limit goes without any pressure, but not from a protected pod', () => {
    const full = {
      ...pod,
      volumes: [
        { name: 'scratch', emptyDir: { sizeLimit: { nanos: 10n ** 9n, format: 'DecimalSI' as const } } },
      ],
      stats: { ...pod.stats, volumes: [{ name: 'scratch', usedBytes: 2 }] },
    };
    const run = (isProtected: boolean) =>
      pass({ nowMs: 0, available: 4 * GIB, activePods: [{ ...full, isProtected }] }).evictions;
    expect(run(false)).toMatchObject([
      { message: 'Usage of EmptyDir volume "scratch" exceeds the limit "1". ', annotations: undefined },
    ]);
    expect(run(true)).toEqual([]);
  });

  test('memory goes before every other signal, wherever it stands in the configuration', () => {
    const thresholds = parseThresholdConfig({
      enforceNodeAllocatable: [],
      evictionHard: { 'nodefs.available': '10%', 'memory.available': '1Gi' },
      evictionSoft: {},
      evictionSoftGracePeriod: {},
      evictionMinimumReclaim: {},
    });
    const empty = { available: 0, capacity: 8 * GIB, takenAtMs: 0 };
    const { reclaiming, conditions } = pass({
      nowMs: 0,
      available: 0,
      config: { ...config, thresholds },
      observations: new Map([
        ['nodefs.available', empty],
        ['memory.available', empty],
      ]),
    });
    expect(reclaiming).toBe('memory');
    expect(conditions).toEqual(['DiskPressure', 'MemoryPressure']);
  });

  test('writable layers on a filesystem of their own do not count towards limits of local storage', () => {
    const limited = {
      ...pod,
      spec: {
        containers: [{ name: 'app', limits: parseResourceList({ 'ephemeral-storage': '10' }) }],
        initContainers: [],
      },
      stats: {
        ephemeralStorageUsedBytes: 9,
        containers: [{ name: 'app', rootfs: { usedBytes: 5 }, logs: { usedBytes: 10 } }],
        volumes: [],
      },
    };
    const run = (layout: FilesystemLayout) =>
      pass({ nowMs: 0, available: 4 * GIB, config: { ...config, layout }, activePods: [limited] }).evictions;
    expect(run('single')).toMatchObject([
      { message: 'Container app exceeded its local ephemeral storage limit "10". ', gracePeriodSeconds: 1 },
    ]);
    expect(run('dedicated')).toEqual([]);
  });
});
