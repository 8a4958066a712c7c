import { EvictrankError } from '../../foundation/errors.ts';
import { capacityCases } from './capacity-cases.ts';
import { buildCaseNodes, buildWorkers, caseNodes } from './demo-nodes.ts';
import type { DemoCluster, DemoNode, DemoPod } from './description.ts';
import { kubeletCases } from './kubelet-cases.ts';
import { lifecycleCases } from './lifecycle-cases.ts';
import { nodeCases } from './node-cases.ts';
import { daemonSets, ordinaryWorkloads } from './ordinary-workloads.ts';
import { existsAt, runsAt, usageOf } from './pod.ts';
import { demoPriorityClasses } from './priority-classes.ts';
import type { CaseContent, SpecialCase } from './special-case.ts';
import { hourMs, minuteMs, weekMs } from './units.ts';
import { type Placement, podsOf, type WorkloadSpec } from './workload.ts';

/** Every special case, one named row each. */
export const specialCases = { ...kubeletCases, ...nodeCases, ...capacityCases, ...lifecycleCases } as const;

export type SpecialCaseName = keyof typeof specialCases;

export interface DemoClusterOptions {
  /** The time around which the special cases are arranged. Rounded down to a minute. */
  readonly nowMs: number;
  readonly nodes?: number;
  /** Pods that run at `nowMs`; the special cases and the DaemonSets alone are some 300. */
  readonly pods?: number;
}

/** The demo does not fit the nodes it was given. */
export class DemoClusterError extends EvictrankError {
  override readonly name = 'DemoClusterError';
}

/** The demo's cluster. The same options give the same cluster. */
export function buildDemoCluster({ nowMs, nodes = 42, pods = 860 }: DemoClusterOptions): DemoCluster {
  const anchorMs = Math.floor(nowMs / minuteMs) * minuteMs;
  const special = buildCaseNodes(anchorMs);
  if (nodes < special.length + 1) {
    throw new DemoClusterError(`the demo needs at least ${special.length + 1} nodes`);
  }
  const workers = buildWorkers(nodes - special.length);
  const allNodes = [...special, ...workers];
  const daemonNodes = allNodes.map(({ name }) => name).filter((name) => name !== caseNodes.seed);
  const shared = [...workers, ...special.filter(({ name }) => name === caseNodes.scrapeHole)];
  const room = new Room(shared);

  const contents: readonly CaseContent[] = Object.entries(specialCases).map(
    ([name, specialCase]: [string, SpecialCase]) => named(name, specialCase.build(anchorMs)),
  );
  const daemonPods = daemonSets.flatMap((spec) =>
    podsOf(spec, () => undefined, { nowMs: anchorMs, daemonNodes }),
  );
  const casePods = contents.flatMap((content) => [
    ...(content.pods ?? []),
    ...(content.workloads ?? []).flatMap(({ spec, nodes: wanted }) => {
      if (wanted === 'none') {
        return podsOf(spec, () => undefined, { nowMs: anchorMs });
      }
      return podsOf(spec, room.placementOf(spec, anchorMs, wanted), { nowMs: anchorMs });
    }),
  ]);
  const given = [...daemonPods, ...casePods];
  const missing = pods - given.filter((pod) => runsAt(pod, anchorMs)).length;
  const ordinaryPods = ordinaryWorkloads(Math.max(0, missing)).flatMap((spec) =>
    podsOf(spec, room.placementOf(spec, anchorMs), { nowMs: anchorMs }),
  );
  return {
    nowMs: anchorMs,
    nodes: allNodes,
    pods: [...given, ...ordinaryPods],
    priorityClasses: demoPriorityClasses,
    limitRanges: contents.flatMap(({ limitRanges = [] }) => limitRanges),
    autoscalers: contents.flatMap(({ autoscalers = [] }) => autoscalers),
  };
}

function named(specialCase: string, content: CaseContent): CaseContent {
  const workloads = content.workloads?.map(({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, specialCase },
  }));
  return { ...content, ...(workloads === undefined ? {} : { workloads }) };
}

/** Room on the nodes that anything may run on. Memory a pod may need, not only what it requests, takes room. */
class Room {
  private readonly leftBytes: Map<string, number>;
  private next = 0;

  constructor(nodes: readonly DemoNode[]) {
    this.leftBytes = new Map(nodes.map((node) => [node.name, node.allocatableBytes * 0.74]));
  }

  /** A placement that gives every index one node for good, so that all generations of a pod stay there. */
  placementOf(spec: WorkloadSpec, nowMs: number, pinned: readonly string[] = []): Placement {
    const given = new Map<number, string>();
    const needs = podsOf(spec, () => 'anywhere', { nowMs }).filter((pod) => existsAt(pod, nowMs));
    const needBytes = Math.max(0, ...needs.map((pod) => mostBytes(pod, nowMs)));
    const takesRoom = spec.kind !== 'CronJob';
    return (index) => {
      const node = pinned[index] ?? given.get(index) ?? this.take(takesRoom ? needBytes : 0, spec.name);
      given.set(index, node);
      return node;
    };
  }

  private take(needBytes: number, workload: string): string {
    const names = [...this.leftBytes.keys()];
    for (let tried = 0; tried < names.length; tried += 1) {
      const name = names[(this.next + tried) % names.length] ?? '';
      const left = this.leftBytes.get(name) ?? 0;
      if (left >= needBytes) {
        this.leftBytes.set(name, left - needBytes);
        this.next = (this.next + tried + 1) % names.length;
        return name;
      }
    }
    throw new DemoClusterError(`the pods of ${workload} do not fit`, {
      remedy: 'ask for more nodes or fewer pods',
    });
  }
}

function mostBytes(pod: DemoPod, nowMs: number): number {
  let most = pod.requestBytes;
  for (let timeMs = nowMs - weekMs; timeMs <= nowMs; timeMs += hourMs) {
    most = Math.max(most, usageOf(pod, timeMs));
  }
  return most;
}
