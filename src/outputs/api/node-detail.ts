import type { Pod } from '../../model/pod.ts';
import type { Basis, RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { type Ladder, type LadderPod, ladderOf } from './ladder.ts';

/** A pod of a ladder with what a scenario needs to know of it. */
export interface NodePod extends LadderPod {
  readonly phase: Pod['phase'];
  /** Static and mirror pods are never evicted, whatever their priority. */
  readonly isStatic: boolean;
  readonly priorityClass: string | null;
  readonly workload: Pod['workload'];
  /** On either basis, whatever basis the ladder has. */
  readonly usageNowBytes: number | null;
  readonly usagePeakBytes: number | null;
}

/** A ladder from which every scenario on the node can be played without asking again. */
export interface NodeDetail extends Ladder {
  readonly capacityBytes: number | null;
  readonly allocatableBytes: number | null;
  readonly windowSeconds: number;
  readonly pods: readonly NodePod[];
}

export function nodeDetail(snapshot: Snapshot, ranked: RankedNode, basis: Basis): NodeDetail {
  const ladder = ladderOf(ranked, basis);
  const byName = new Map(ranked.pods.map((pod) => [nameKey(pod.pod.namespace, pod.pod.name), pod]));
  return {
    ...ladder,
    capacityBytes: ranked.node.capacityBytes ?? null,
    allocatableBytes: ranked.node.allocatableBytes ?? null,
    windowSeconds: snapshot.windowSeconds,
    pods: ladder.pods.flatMap((row) => {
      const found = byName.get(nameKey(row.namespace, row.pod));
      return found === undefined ? [] : [nodePodOf(row, found)];
    }),
  };
}

function nodePodOf(row: LadderPod, { pod, now, peak }: RankedPod): NodePod {
  return {
    ...row,
    phase: pod.phase,
    isStatic: pod.isStatic,
    priorityClass: pod.priorityClass ?? null,
    workload: pod.workload,
    usageNowBytes: now.usageBytes ?? null,
    usagePeakBytes: peak.usageBytes ?? null,
  };
}

function nameKey(namespace: string, pod: string): string {
  return `${namespace}/${pod}`;
}
