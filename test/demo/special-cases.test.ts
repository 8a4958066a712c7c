import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildDemoCluster, type SpecialCaseName, specialCases } from '../../src/demo/cluster/demo-cluster.ts';
import { caseNodes } from '../../src/demo/cluster/demo-nodes.ts';
import type { DemoNode, DemoPod } from '../../src/demo/cluster/description.ts';
import { nodeWorkingSetBytes } from '../../src/demo/cluster/node.ts';
import { existsAt, runsAt, usageOf } from '../../src/demo/cluster/pod.ts';
import { dayMs, gi, hourMs, mi, minuteMs, weekMs } from '../../src/demo/cluster/units.ts';

const cluster = buildDemoCluster({ nowMs: Date.UTC(2026, 9, 14, 10, 30) });
const { nowMs } = cluster;
const live = cluster.pods.filter((pod) => runsAt(pod, nowMs));

const node = (name: string): DemoNode => {
  const found = cluster.nodes.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no node ${name}`);
  return found;
};
const liveOf = (name: SpecialCaseName): readonly DemoPod[] =>
  live.filter(({ specialCase }) => specialCase === name);
const liveIn = (name: string): readonly DemoPod[] => live.filter((pod) => pod.node === name);
const usage = (pod: DemoPod): number => usageOf(pod, nowMs);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);
const availableAt = (name: string, timeMs: number): number => {
  const pods = cluster.pods.filter((pod) => pod.node === name && runsAt(pod, timeMs));
  const podsBytes = sum(pods.map((pod) => usageOf(pod, timeMs)));
  return node(name).capacityBytes - nodeWorkingSetBytes(node(name), podsBytes, timeMs);
};
/** Working set of a pod every two minutes of its part of the week. */
const weekOf = (pod: DemoPod): readonly number[] =>
  Array.from({ length: weekMs / (2 * minuteMs) + 1 }, (_, index) => nowMs - index * 2 * minuteMs)
    .filter((timeMs) => runsAt(pod, timeMs))
    .map((timeMs) => usageOf(pod, timeMs));
const peak = (pod: DemoPod): number => Math.max(...weekOf(pod));
const highestPriority = Math.max(...Object.values(cluster.priorityClasses));

/** What must hold of each case; the compiler misses no row. */
const claims: Record<SpecialCaseName, () => void> = {
  'seed-node': () => {
    const oracle = JSON.parse(
      readFileSync(new URL('../oracle/seed-node.json', import.meta.url), 'utf8'),
    ) as SeedNode;
    const seed = node(oracle.node.name);
    expect([seed.capacityBytes, seed.allocatableBytes]).toEqual([
      oracle.node.capacityBytes,
      oracle.node.allocatableBytes,
    ]);
    expect(availableAt(seed.name, nowMs)).toBe(mi(922));
    expect(cluster.pods.filter((pod) => pod.node === seed.name)).toEqual(liveIn(seed.name));
    const described = liveIn(seed.name).map((pod) => ({
      namespace: pod.namespace,
      name: pod.name,
      priority: pod.priority,
      containers: pod.containers.map(({ name, requests, limits }) => [name, requests, limits]),
      usageBytes: usage(pod),
      peakBytes: peak(pod),
      qosClass: pod.qosClass,
      requestBytes: pod.requestBytes,
    }));
    expect(described).toEqual(
      oracle.pods.map((pod) => ({
        namespace: pod.namespace,
        name: pod.name,
        priority: pod.priority,
        containers: pod.containers.map(({ name, requests, limits }) => [
          name,
          resourcesOf(requests),
          resourcesOf(limits),
        ]),
        usageBytes: pod.usageBytes,
        peakBytes: pod.usageBytes,
        qosClass: pod.qosClass,
        requestBytes: oracle.requestBytes[pod.name],
      })),
    );
  },
  'static-pods': () => {
    expect(liveOf('static-pods')).toHaveLength(12);
    for (const pod of liveOf('static-pods')) {
      expect(pod.owner).toEqual({ kind: 'Node', name: pod.node });
    }
  },
  'system-critical': () => {
    expect(liveOf('system-critical').map(({ priority }) => priority)).toEqual([2e9, 2e9, 2e9]);
  },
  'pod-overhead': () => {
    for (const pod of liveOf('pod-overhead')) {
      expect([pod.requestBytes, pod.overheadBytes]).toEqual([mi(672), mi(160)]);
    }
  },
  'init-and-sidecars': () => {
    for (const pod of liveOf('init-and-sidecars')) {
      expect(pod.requestBytes).toBe(mi(128 + 768));
      expect(usage(pod)).toBeGreaterThan(mi(128 + 512));
      expect(usage(pod)).toBeLessThan(pod.requestBytes);
    }
  },
  'best-effort': () => expectBestEffort(liveOf('best-effort')),
  'best-effort-in-protected-namespace': () => {
    expectBestEffort(liveOf('best-effort-in-protected-namespace'));
    expect(new Set(liveOf('best-effort-in-protected-namespace').map(({ namespace }) => namespace))).toEqual(
      new Set(['payments']),
    );
  },
  'no-stats': () => {
    expect(liveOf('no-stats').map(({ hasStats }) => hasStats)).toEqual([false, false]);
    for (const pod of liveOf('no-stats')) {
      expect(liveIn(pod.node ?? '').filter(({ hasStats }) => hasStats).length).toBeGreaterThan(3);
    }
  },
  'guaranteed-of-low-priority': () => {
    for (const pod of liveOf('guaranteed-of-low-priority')) {
      expect(pod.qosClass).toBe('Guaranteed');
      expect(usage(pod)).toBeLessThan(pod.requestBytes);
      const after = liveIn(pod.node ?? '').filter(
        (other) =>
          other.qosClass === 'Burstable' &&
          other.priority > pod.priority &&
          other.priority < 2e9 &&
          usage(other) <= other.requestBytes,
      );
      expect(after.length).toBeGreaterThan(0);
    }
  },
  'high-priority-over-request': () => {
    for (const pod of liveOf('high-priority-over-request')) {
      expect(pod.priority).toBe(highestPriority);
      expect(usage(pod)).toBeGreaterThan(pod.requestBytes);
    }
  },
  'unmapped-priority-class': () => {
    for (const pod of liveOf('unmapped-priority-class')) {
      expect(Object.keys(cluster.priorityClasses)).not.toContain(pod.priorityClass);
      expect([pod.priorityClass === undefined, pod.priority]).toEqual([false, 0]);
    }
  },
  'recreated-pod': () => {
    const both = cluster.pods.filter(({ namespace, name }) => namespace === 'data' && name === 'kafka-1');
    expect(new Set(both.map(({ uid }) => uid)).size).toBe(2);
    const [old, young] = both;
    expect(old?.endsUnmarked).toBe(true);
    expect(nowMs - (old?.deletedMs ?? 0)).toBeLessThan(5 * minuteMs);
    expect(young?.createdMs).toBe(old?.deletedMs);
  },
  'restarted-container': () => {
    for (const pod of liveOf('restarted-container')) {
      const lately = pod.containers[0]?.restarts.filter(
        ({ atMs }) => atMs <= nowMs && atMs > nowMs - 6 * minuteMs,
      );
      expect(lately).toHaveLength(1);
    }
  },
  'one-pod-name-twice': () => {
    const namespaces = live.filter(({ name }) => name === 'web-0').map(({ namespace }) => namespace);
    expect(namespaces).toEqual(['team-a', 'team-b']);
  },
  'priority-inflation': () => {
    const sharing = live.filter(({ priority }) => priority === highestPriority);
    expect(sharing.length / live.length).toBeGreaterThan(0.5);
  },
  'scrape-hole': () => {
    const { cadvisorGoneFromMs } = node(caseNodes.scrapeHole);
    expect(cadvisorGoneFromMs).toBeLessThan(nowMs);
    expect(cadvisorGoneFromMs).toBeGreaterThan(nowMs - weekMs);
    expect(liveIn(caseNodes.scrapeHole).length).toBeGreaterThan(10);
  },
  'near-threshold-node': () => {
    const headroom = availableAt(caseNodes.nearThreshold, nowMs) - mi(100);
    expect(headroom).toBeGreaterThan(mi(100));
    expect(headroom).toBeLessThan(mi(200));
    expect(liveOf('near-threshold-node').every((pod) => usage(pod) < pod.requestBytes)).toBe(true);
  },
  'node-under-pressure': () => {
    expect(node(caseNodes.underPressure).hasMemoryPressure).toBe(true);
    for (const minutes of [0, 10, 60]) {
      expect(availableAt(caseNodes.underPressure, nowMs + minutes * minuteMs)).toBeLessThan(mi(100));
    }
    const lately = node(caseNodes.underPressure).evictions.filter(
      ({ atMs }) => atMs <= nowMs && atMs > nowMs - 8 * hourMs,
    );
    expect(new Set(lately.map(({ signal }) => signal)).size).toBe(2);
    const listed = cluster.pods.filter((pod) => pod.end?.reason === 'Evicted' && existsAt(pod, nowMs));
    expect(listed.filter((pod) => !runsAt(pod, nowMs)).length).toBe(lately.length);
    expectBestEffort(listed);
  },
  unschedulable: () => {
    const [pod] = cluster.pods.filter(({ specialCase }) => specialCase === 'unschedulable');
    expect(pod?.node).toBeUndefined();
    expect(pod?.requestBytes).toBeGreaterThan(
      Math.max(...cluster.nodes.map(({ allocatableBytes }) => allocatableBytes)),
    );
  },
  wasteful: () => {
    for (const pod of liveOf('wasteful')) {
      expect(pod.requestBytes / peak(pod)).toBeGreaterThan(10);
    }
  },
  'over-requested-node': () => {
    const pods = liveIn(caseNodes.overRequested);
    const { allocatableBytes } = node(caseNodes.overRequested);
    expect(sum(pods.map(({ requestBytes }) => requestBytes)) / allocatableBytes).toBeCloseTo(0.95, 2);
    expect(sum(pods.map(usage)) / allocatableBytes).toBeCloseTo(0.4, 1);
  },
  'under-requested': () => {
    for (const pod of liveOf('under-requested')) {
      const over = weekOf(pod).filter((bytes) => bytes > pod.requestBytes);
      expect(over.length / weekOf(pod).length).toBeGreaterThan(0.5);
      expect(peak(pod)).toBeLessThan((pod.containers[0]?.limits.memoryBytes ?? 0) / 2);
    }
  },
  leaking: () => {
    const [pod, ...others] = liveOf('leaking').filter(({ workload }) => workload.name === 'indexer');
    expect(others.length).toBe(2);
    const kills = pod?.containers[0]?.restarts.filter(({ atMs }) => atMs <= nowMs) ?? [];
    expect(kills.length).toBeGreaterThan(20);
    expect(kills.every(({ reason }) => reason === 'OOMKilled')).toBe(true);
    const now = availableAt(caseNodes.trending, nowMs);
    const lostInAnHour = availableAt(caseNodes.trending, nowMs - hourMs) - now;
    expect(now).toBeGreaterThan(mi(400));
    expect(now - lostInAnHour).toBeLessThan(mi(100));
  },
  'oom-killed': () => {
    for (const pod of liveOf('oom-killed')) {
      const kills = pod.containers[0]?.restarts.filter(({ atMs }) => atMs <= nowMs) ?? [];
      expect(kills).toHaveLength(4);
      for (const { atMs } of kills) {
        expect(usageOf(pod, atMs - minuteMs)).toBeGreaterThanOrEqual(mi(511));
        expect(availableAt(pod.node ?? '', atMs - minuteMs)).toBeGreaterThan(gi(2));
      }
    }
  },
  spiky: () => {
    for (const pod of liveOf('spiky')) {
      const high = weekOf(pod).filter((bytes) => bytes > mi(900));
      expect(high.length / weekOf(pod).length).toBeLessThan(0.05);
      expect(high.length).toBeGreaterThan(50);
    }
  },
  'short-lived': () => {
    for (const pod of liveOf('short-lived')) {
      expect(nowMs - pod.createdMs).toBeLessThan(dayMs);
    }
  },
  'sidecar-injected': () => {
    for (const pod of liveOf('sidecar-injected')) {
      const [own, injected] = pod.containers;
      expect(pod.qosClass).toBe('Burstable');
      expect(own?.requests).toEqual(own?.limits);
      expect(injected?.requests).toEqual({});
    }
  },
  'limit-range-burstable': () => {
    for (const pod of liveOf('limit-range-burstable')) {
      expect(pod.qosClass).toBe('Burstable');
      const rule = cluster.limitRanges.find(({ namespace }) => namespace === pod.namespace);
      expect(pod.requestBytes).toBe(rule?.defaultRequestBytes);
    }
  },
  generations: () => {
    const pods = cluster.pods.filter(({ specialCase }) => specialCase === 'generations');
    expect(new Set(pods.map(({ owner }) => owner?.name)).size).toBe(4);
    expect(pods.every((pod) => weekOf(pod).length > 0)).toBe(true);
    const gone = pods.filter((pod) => !runsAt(pod, nowMs));
    expect(Math.max(...gone.map(peak))).toBeGreaterThan(1.2 * Math.max(...liveOf('generations').map(peak)));
  },
  'cron-jobs': () => {
    const finished = cluster.pods.filter(
      (pod) => pod.specialCase === 'cron-jobs' && existsAt(pod, nowMs) && !runsAt(pod, nowMs),
    );
    expect(finished.length).toBeGreaterThan(4);
    expect(finished.every(({ end }) => end?.phase === 'Succeeded')).toBe(true);
  },
  'memory-hpa': () => {
    const targets = cluster.autoscalers.map(({ target }) => target);
    expect(targets).toEqual(
      liveOf('memory-hpa')
        .slice(0, 1)
        .map(({ workload }) => workload),
    );
  },
  'bare-owners': () => {
    const kinds = new Set(liveOf('bare-owners').map(({ workload }) => workload.kind));
    expect(kinds).toEqual(new Set(['Pod', 'ReplicaSet', 'Job']));
  },
};

describe('each special case is in the demo cluster', () => {
  test.each(Object.entries(specialCases))('$0: $1.purpose', (name) => {
    claims[name as SpecialCaseName]();
  });
});

describe('the demo cluster', () => {
  test('has at least 40 nodes and 800 running pods', () => {
    expect(cluster.nodes.length).toBeGreaterThanOrEqual(40);
    expect(live.length).toBeGreaterThanOrEqual(800);
  });

  test('is the same for the same options', () => {
    expect(JSON.stringify(buildDemoCluster({ nowMs }))).toBe(JSON.stringify(cluster));
  });

  test('has every uid once, and every running pod on a node that is there', () => {
    expect(new Set(cluster.pods.map(({ uid }) => uid)).size).toBe(cluster.pods.length);
    const names = new Set(cluster.nodes.map(({ name }) => name));
    expect(live.filter((pod) => !names.has(pod.node ?? ''))).toEqual([]);
  });

  test('requests no more of a node than it can give', () => {
    for (const { name, allocatableBytes } of cluster.nodes) {
      expect(sum(liveIn(name).map(({ requestBytes }) => requestBytes))).toBeLessThan(allocatableBytes);
    }
  });

  test('leaves every node but those of a case far from its threshold', () => {
    const near = cluster.nodes.filter(({ name }) => availableAt(name, nowMs) < gi(2)).map(({ name }) => name);
    expect(new Set(near)).toEqual(
      new Set([caseNodes.seed, caseNodes.nearThreshold, caseNodes.trending, caseNodes.underPressure]),
    );
  });

  test('has ordinary pods that need what they request', () => {
    const ordinary = live.filter(({ specialCase, priority }) => specialCase === undefined && priority < 2e9);
    expect(ordinary.length).toBeGreaterThan(500);
    for (const pod of ordinary) {
      expect(peak(pod) / pod.requestBytes).toBeGreaterThan(0.65);
      expect(peak(pod) / pod.requestBytes).toBeLessThan(0.85);
    }
  });

  test('refuses more pods than its nodes have room for', () => {
    expect(() => buildDemoCluster({ nowMs, nodes: 20, pods: 5_000 })).toThrow(/do not fit/);
  });
});

interface SeedNode {
  readonly node: { readonly name: string; readonly capacityBytes: number; readonly allocatableBytes: number };
  readonly requestBytes: Readonly<Record<string, number>>;
  readonly pods: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly priority: number;
    readonly usageBytes: number;
    readonly qosClass: string;
    readonly containers: readonly {
      readonly name: string;
      readonly requests: Readonly<Record<string, string>>;
      readonly limits: Readonly<Record<string, string>>;
    }[];
  }[];
}

/** Quantities as the worked example writes them: whole cores, `m` and `Mi`. */
function resourcesOf({ memory, cpu }: Readonly<Record<string, string | undefined>>): object {
  return {
    memoryBytes: memory === undefined ? undefined : mi(Number.parseInt(memory, 10)),
    cpuCores:
      cpu === undefined ? undefined : cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1000 : Number(cpu),
  };
}

function expectBestEffort(pods: readonly DemoPod[]): void {
  expect(pods.length).toBeGreaterThan(0);
  for (const pod of pods) {
    expect([pod.qosClass, pod.requestBytes]).toEqual(['BestEffort', 0]);
    expect(usageOf(pod, nowMs)).toBeGreaterThan(0);
  }
}
