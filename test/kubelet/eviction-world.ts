/** Plays a scenario of synchronize.json: a node whose memory, processes and disk change from pass to pass. */
import { z } from 'zod';
import { parseQuantity } from '../../src/foundation/quantity.ts';
import { isCriticalPod } from '../../src/kubelet/critical.ts';
import type { FilesystemLayout } from '../../src/kubelet/disk-usage.ts';
import { rulesOfKubelet } from '../../src/kubelet/kubelet-version.ts';
import type { ManagedPod } from '../../src/kubelet/managed-pod.ts';
import type { ManagerConfig } from '../../src/kubelet/manager-config.ts';
import type { Observations } from '../../src/kubelet/pass-eviction.ts';
import type { Signal } from '../../src/kubelet/signals.ts';
import { parseThresholdConfig } from '../../src/kubelet/threshold-config.ts';
import { caseHead, nullable } from '../oracle-cases.ts';

const statements = z.record(z.string(), z.string());
const level = z.strictObject({ capacityBytes: z.int(), availableBytes: z.int() });
const pod = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  priority: nullable(z.int()),
  annotations: statements,
  containers: z.array(
    z.strictObject({
      name: z.string(),
      requestMemory: nullable(z.string()),
      usageBytes: nullable(z.int()),
      limitEphemeralStorage: z.string().optional(),
      rootfsUsedBytes: z.int().optional(),
      logsUsedBytes: z.int().optional(),
    }),
  ),
  volumes: z
    .array(z.strictObject({ name: z.string(), emptyDirSizeLimit: nullable(z.string()), usedBytes: z.int() }))
    .default([]),
  processCount: z.int().default(0),
  usageBytes: nullable(z.int()),
  freedBytes: z.int(),
  killFails: z.boolean().default(false),
  requestBytes: z.int(),
  isCriticalPod: z.boolean(),
});
const step = z.strictObject({
  advanceSeconds: z.number(),
  availableDeltaBytes: z.int().default(0),
  setUsageBytes: z.record(z.string(), z.int()).default({}),
  t: z.number(),
  availableBytes: z.int(),
  allocatableAvailableBytes: z.int().optional(),
  pidAvailable: z.int().optional(),
  nodefsAvailableBytes: z.int().optional(),
  evicted: nullable(z.string()),
  alsoEvicted: z.array(z.string()).default([]),
  gracePeriodOverrideSeconds: nullable(z.number()),
  message: nullable(z.string()),
  annotations: statements.optional(),
  reclaiming: nullable(z.string()),
  memoryPressure: z.boolean(),
  diskPressure: z.boolean().default(false),
  pidPressure: z.boolean().default(false),
});
export const scenario = z.strictObject({
  ...caseHead,
  node: z.strictObject({
    memory: level,
    allocatable: level.optional(),
    pid: z.strictObject({ max: z.int(), running: z.int() }).optional(),
    nodefs: level.optional(),
  }),
  config: z.strictObject({
    enforceNodeAllocatable: z.array(z.string()),
    evictionHard: statements,
    evictionSoft: statements,
    evictionSoftGracePeriod: statements,
    evictionMinimumReclaim: statements,
    maxPodGracePeriodSeconds: z.number(),
    pressureTransitionPeriodSeconds: z.number(),
    dedicatedImageFs: z.boolean(),
  }),
  pods: z.array(pod),
  steps: z.array(step),
  evictionOrder: z.array(z.string()),
});
type Scenario = z.output<typeof scenario>;
export type ScenarioPod = z.output<typeof pod>;
export type ScenarioStep = z.output<typeof step>;

export function managerConfig({ config }: Scenario): ManagerConfig {
  return {
    thresholds: parseThresholdConfig(config),
    maxPodGracePeriodSeconds: config.maxPodGracePeriodSeconds,
    pressureTransitionPeriodMs: config.pressureTransitionPeriodSeconds * 1000,
    layout: config.dedicatedImageFs ? ('dedicated' satisfies FilesystemLayout) : 'single',
    rules: rulesOfKubelet('v1.20.2'),
  };
}

export function toManagedPod(one: ScenarioPod): ManagedPod {
  const { namespace, name, priority = 0, annotations, containers, volumes } = one;
  return {
    namespace,
    name,
    priority,
    isProtected: isCriticalPod({ annotations, priority }),
    spec: {
      containers: containers.map(({ name: container, requestMemory, limitEphemeralStorage }) => ({
        name: container,
        requests: requestMemory === undefined ? {} : { memory: parseQuantity(requestMemory) },
        limits:
          limitEphemeralStorage === undefined
            ? {}
            : { 'ephemeral-storage': parseQuantity(limitEphemeralStorage) },
      })),
      initContainers: [],
    },
    volumes: volumes.map(({ name: volume, emptyDirSizeLimit: limit }) => ({
      name: volume,
      emptyDir: { sizeLimit: limit === undefined ? undefined : parseQuantity(limit) },
    })),
    stats:
      one.usageBytes === undefined
        ? undefined
        : {
            memoryWorkingSetBytes: one.usageBytes,
            processCount: one.processCount,
            containers: containers.map(({ name: container, usageBytes, rootfsUsedBytes, logsUsedBytes }) => ({
              name: container,
              memoryWorkingSetBytes: usageBytes,
              rootfs: { usedBytes: rootfsUsedBytes },
              logs: { usedBytes: logsUsedBytes },
            })),
            volumes,
          },
  };
}

export class EvictionWorld {
  readonly #node: Scenario['node'];
  #pods: readonly ScenarioPod[];

  constructor({ node, pods }: Scenario) {
    this.#node = structuredClone(node);
    this.#pods = pods;
  }

  get pods(): readonly ManagedPod[] {
    return this.#pods.map(toManagedPod);
  }

  /** What happens before a pass. */
  change({ availableDeltaBytes, setUsageBytes }: ScenarioStep): void {
    this.#giveMemory(availableDeltaBytes);
    this.#pods = this.#pods.map((one) => {
      const usageBytes = setUsageBytes[one.name];
      if (usageBytes === undefined) return one;
      const [first, ...others] = one.containers;
      const containers = first === undefined ? others : [{ ...first, usageBytes }, ...others];
      return { ...one, usageBytes, freedBytes: usageBytes, containers };
    });
  }

  observe(takenAtMs: number): Observations {
    const { memory, allocatable, pid, nodefs } = this.#node;
    const seen: [Signal, { available: number; capacity: number } | undefined][] = [
      ['memory.available', toObservation(memory)],
      ['allocatableMemory.available', toObservation(allocatable)],
      ['nodefs.available', toObservation(nodefs)],
      ['pid.available', pid && { available: pid.max - pid.running, capacity: pid.max }],
    ];
    return new Map(
      seen.flatMap(([signal, observed]) =>
        observed === undefined ? [] : [[signal, { ...observed, takenAtMs }] as const],
      ),
    );
  }

  /** What happens after a pass: an evicted pod gives back what it held, unless its kill fails. */
  remove(names: readonly string[]): void {
    const gone = this.#pods.filter(({ name, killFails }) => names.includes(name) && !killFails);
    this.#pods = this.#pods.filter((one) => !gone.includes(one));
    for (const { freedBytes, processCount, containers, volumes } of gone) {
      this.#giveMemory(freedBytes);
      if (this.#node.pid !== undefined) this.#node.pid.running -= processCount;
      const diskBytes = [
        ...containers.flatMap(({ rootfsUsedBytes = 0, logsUsedBytes = 0 }) => [
          rootfsUsedBytes,
          logsUsedBytes,
        ]),
        ...volumes.map(({ usedBytes }) => usedBytes),
      ];
      give(
        this.#node.nodefs,
        diskBytes.reduce((sum, bytes) => sum + bytes, 0),
      );
    }
  }

  #giveMemory(bytes: number): void {
    give(this.#node.memory, bytes);
    give(this.#node.allocatable, bytes);
  }
}

function toObservation(one: z.output<typeof level> | undefined) {
  return one && { available: one.availableBytes, capacity: one.capacityBytes };
}

function give(to: z.output<typeof level> | undefined, bytes: number): void {
  if (to === undefined) return;
  to.availableBytes = Math.min(to.capacityBytes, Math.max(0, to.availableBytes + bytes));
}
