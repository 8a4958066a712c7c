import { wandering } from './curves.ts';
import type { DemoNode } from './description.ts';
import { buildNode } from './node.ts';
import { dayMs, gi, hourMs, mi, minuteMs } from './units.ts';

/** Nodes that a case is about; nothing but what the case puts there, and the DaemonSets, runs on them. */
export const caseNodes = {
  seed: 'ip-10-0-1-8',
  controlPlane: ['ip-10-0-0-11', 'ip-10-0-0-12', 'ip-10-0-0-13'],
  overRequested: 'ip-10-0-2-31',
  nearThreshold: 'ip-10-0-2-44',
  trending: 'ip-10-0-3-52',
  underPressure: 'ip-10-0-1-61',
  scrapeHole: 'ip-10-0-3-23',
} as const;

/** How long the evicting node has been at it, and how often it evicts. */
export const evictionRhythm = { sinceMs: 8 * hourMs, everyMs: 90 * minuteMs } as const;

/** The case nodes. `ip-10-0-3-23` takes ordinary pods too: only its cAdvisor target is gone. */
export function buildCaseNodes(nowMs: number): readonly DemoNode[] {
  return [
    buildNode({
      name: caseNodes.seed,
      capacityBytes: 7_084_179_456,
      allocatableBytes: 6_442_450_944,
      cpuCores: 4,
      system: () => mi(512),
    }),
    ...caseNodes.controlPlane.map((name) => buildNode({ name, capacityBytes: gi(8) })),
    buildNode({ name: caseNodes.overRequested }),
    buildNode({
      name: caseNodes.nearThreshold,
      // Daemons outside pods have outgrown what is reserved for them: no workload is to blame.
      available: wandering(mi(235), mi(265), caseNodes.nearThreshold),
    }),
    buildNode({ name: caseNodes.trending, capacityBytes: gi(8), system: () => mi(500) }),
    buildNode({
      name: caseNodes.underPressure,
      available: (timeMs) =>
        timeMs < nowMs - evictionRhythm.sinceMs ? mi(700) : wandering(mi(60), mi(92), 'pressure')(timeMs),
      hasMemoryPressure: true,
      evictions: evictionsAround(nowMs),
    }),
    buildNode({ name: caseNodes.scrapeHole, cadvisorGoneFromMs: nowMs - 26 * hourMs }),
  ];
}

/** Ordinary workers, half of them of 16 GiB and half of 24 GiB. */
export function buildWorkers(count: number): readonly DemoNode[] {
  return Array.from({ length: count }, (_, index) =>
    buildNode({
      name: `ip-10-0-${1 + (index % 3)}-${100 + index}`,
      capacityBytes: index % 2 === 0 ? gi(16) : gi(24),
      cpuCores: index % 2 === 0 ? 4 : 6,
    }),
  );
}

/** Two long ago, then one at every beat of the rhythm; the counter shows now one signal, now the other. */
export function evictionsAround(nowMs: number): DemoNode['evictions'] {
  const firstMs = nowMs - evictionRhythm.sinceMs + 20 * minuteMs;
  const beats = Math.floor((nowMs + dayMs - firstMs) / evictionRhythm.everyMs);
  return [
    { atMs: nowMs - 5 * dayMs, signal: 'memory.available' },
    { atMs: nowMs - 5 * dayMs + 5 * minuteMs, signal: 'allocatableMemory.available' },
    ...Array.from({ length: beats + 1 }, (_, beat) => ({
      atMs: firstMs + beat * evictionRhythm.everyMs,
      signal: beat % 2 === 0 ? ('memory.available' as const) : ('allocatableMemory.available' as const),
    })),
  ];
}
