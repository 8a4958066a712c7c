import type { ComparatorGroup } from '../../kubelet/candidate.ts';
import type { QosClass } from '../../kubelet/qos-class.ts';
import type { RankedNode, Snapshot } from '../../snapshot/snapshot.ts';
import { clusterField } from './ladder.ts';

export interface NodeRow {
  readonly cluster?: string;
  readonly node: string;
  readonly complete: boolean;
  readonly availableBytes: number | null;
  readonly thresholdBytes: number | null;
  readonly headroomBytes: number | null;
  readonly capacityBytes: number | null;
  readonly allocatableBytes: number | null;
  readonly requestsBytes: number | null;
  readonly peakBytes: number | null;
  readonly qosOrderInversions: number | null;
  readonly pods: number;
  /** Pods by group, basis now; empty where the node is not ranked. */
  readonly groups: Readonly<Partial<Record<ComparatorGroup, number>>>;
  /** Memory the pods of each group use now; empty where the node is not ranked. */
  readonly groupUsageBytes: Readonly<Partial<Record<ComparatorGroup, number>>>;
  /** Pods by QoS class, as far as it is known. */
  readonly qosClasses: Readonly<Partial<Record<QosClass, number>>>;
  /** The pod the kubelet would take first; null where the node is not ranked or nothing can be evicted. */
  readonly firstToGo: { readonly namespace: string; readonly pod: string } | null;
}

export interface NodeList {
  readonly nodes: readonly NodeRow[];
  readonly evaluatedAt: string;
}

const lists = new WeakMap<Snapshot, readonly NodeRow[]>();

/** All nodes, those with the least headroom first, those where it is unknown last. */
export function listNodes(snapshot: Snapshot, cluster?: string): NodeList {
  const rows = lists.get(snapshot) ?? nodeRows(snapshot);
  lists.set(snapshot, rows);
  return {
    nodes: cluster === undefined ? rows : rows.filter((row) => row.cluster === cluster),
    evaluatedAt: new Date(snapshot.evaluatedAtMs).toISOString(),
  };
}

function nodeRows(snapshot: Snapshot): readonly NodeRow[] {
  const headroomOf = (row: NodeRow): number => row.headroomBytes ?? Number.MAX_VALUE;
  // The snapshot's order (cluster, name) stays among nodes of equal headroom, for the sort is stable.
  return snapshot.nodes.map(nodeRowOf).sort((a, b) => headroomOf(a) - headroomOf(b));
}

function nodeRowOf(ranked: RankedNode): NodeRow {
  const { pods, groups, groupUsageBytes, qosClasses, firstToGo } = ranked.podCounts;
  return {
    ...clusterField(ranked.node.cluster),
    node: ranked.node.name,
    complete: ranked.complete,
    availableBytes: ranked.availableBytes ?? null,
    thresholdBytes: ranked.thresholdBytes ?? null,
    headroomBytes: ranked.headroomBytes ?? null,
    capacityBytes: ranked.node.capacityBytes ?? null,
    allocatableBytes: ranked.node.allocatableBytes ?? null,
    requestsBytes: ranked.requestsBytes ?? null,
    peakBytes: ranked.peakBytes ?? null,
    qosOrderInversions: ranked.qosOrderInversions ?? null,
    pods,
    groups,
    groupUsageBytes,
    qosClasses,
    firstToGo: firstToGo ?? null,
  };
}
