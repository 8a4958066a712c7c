import type { z } from 'zod';
import { isCriticalPod } from '../../kubelet/critical.ts';
import type { RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { clusterField, type LadderPod, ladderPodOf } from './ladder.ts';
import type { podListParameters } from './parameters.ts';
import {
  comparePlaces,
  indexAfter,
  type NodePlace,
  type PodPlace,
  placeOf,
  readCursor,
  writeCursor,
} from './pod-cursor.ts';
import { visitNodes } from './visit-nodes.ts';

export interface PodList {
  readonly pods: readonly (LadderPod & { readonly node: string; readonly cluster?: string })[];
  /** Hand it back as `cursor` for the next page; null on the last one. */
  readonly nextCursor: string | null;
  /** Pods that fit, on all pages. */
  readonly total: number;
  readonly evaluatedAt: string;
}

/**
 * One page of the pods that fit, node by node and, within a node, in the order of eviction. Those that are never
 * evicted come behind all others: a list would else open with them, for control-plane nodes have little else.
 * A cursor says where the last page ended by name, so that it stays valid when a refresh moves the ranks; an offset
 * is for those who jump, and counts in the snapshot of the moment.
 */
export async function listPods(
  snapshot: Snapshot,
  parameters: z.output<typeof podListParameters>,
): Promise<PodList> {
  const { limit, cursor, offset = 0, sort } = parameters;
  const after = cursor === undefined ? undefined : readCursor(cursor, sort);
  const place = (node: RankedNode, isProtected: boolean) => placeOf(node, { sort, isProtected, after });
  const everyPodFits = !isFiltered(parameters);
  const page: ListedPod[] = [];
  let total = 0;
  let passed = 0;
  let isPast = after === undefined;
  const visit = (node: RankedNode, isProtected: boolean): void => {
    const pastCursor = after === undefined ? 1 : comparePlaces(place(node, isProtected), after);
    if (pastCursor > 0) isPast = true;
    if (parameters.node !== undefined && node.node.name !== parameters.node) return;
    const count = countIn(node, isProtected);
    if (count === 0) return;
    const isOffPage = isPast ? passed + count <= offset || page.length > limit : pastCursor < 0;
    if (everyPodFits && isOffPage) {
      total += count;
      if (isPast) passed += count;
      return;
    }
    const firstIndex = after !== undefined && !isPast && pastCursor === 0 ? indexAfter(node.pods, after) : 0;
    if (pastCursor === 0) isPast = true;
    node.pods.forEach((ranked, index) => {
      if (isCriticalPod(ranked.pod) !== isProtected || !fits(ranked, parameters)) return;
      total++;
      if (isPast && index >= firstIndex && passed++ >= offset && page.length <= limit) {
        page.push({ node, ranked });
      }
    });
  };
  const nodes = inOrder(snapshot.nodes, (node) => place(node, false));
  for (const isProtected of [false, true]) {
    await visitNodes(nodes, (node) => visit(node, isProtected));
  }
  const shown = page.slice(0, limit);
  const last = page.length > limit ? shown.at(-1) : undefined;
  return {
    pods: shown.map(({ ranked }) => ({
      ...clusterField(ranked.pod.cluster),
      node: ranked.pod.node,
      ...ladderPodOf(ranked, parameters.basis),
    })),
    nextCursor: last === undefined ? null : writeCursor(podPlace(last, place), sort),
    total,
    evaluatedAt: new Date(snapshot.evaluatedAtMs).toISOString(),
  };
}

interface ListedPod {
  readonly node: RankedNode;
  readonly ranked: RankedPod;
}

function podPlace(
  { node, ranked: { pod } }: ListedPod,
  place: (node: RankedNode, isProtected: boolean) => NodePlace,
): PodPlace {
  return { ...place(node, isCriticalPod(pod)), namespace: pod.namespace, pod: pod.name };
}

function inOrder(nodes: readonly RankedNode[], placeOfNode: (node: RankedNode) => NodePlace): RankedNode[] {
  return nodes
    .map((node) => ({ node, place: placeOfNode(node) }))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .map(({ node }) => node);
}

/** Pods of a node that belong to the part of the list for those that are never evicted, or to the other one. */
function countIn({ podCounts: { pods, protectedPods } }: RankedNode, isProtected: boolean): number {
  return isProtected ? protectedPods : pods - protectedPods;
}

type PodFilter = Pick<
  z.output<typeof podListParameters>,
  'basis' | 'cluster' | 'namespace' | 'qos_class' | 'group' | 'search'
>;

/** By anything but the node. */
function isFiltered({ cluster, namespace, qos_class, group, search }: PodFilter): boolean {
  return [cluster, namespace, qos_class, group, search].some((value) => value !== undefined);
}

function fits(ranked: RankedPod, wanted: PodFilter): boolean {
  const { pod } = ranked;
  return (
    (wanted.cluster === undefined || pod.cluster === wanted.cluster) &&
    (wanted.namespace === undefined || pod.namespace === wanted.namespace) &&
    (wanted.qos_class === undefined || pod.qosClass === wanted.qos_class) &&
    (wanted.group === undefined || ranked[wanted.basis].group === wanted.group) &&
    (wanted.search === undefined || `${pod.namespace}/${pod.name}`.includes(wanted.search.toLowerCase()))
  );
}
