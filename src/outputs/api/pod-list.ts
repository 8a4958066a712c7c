import type { z } from 'zod';
import { compareText } from '../../foundation/text-order.ts';
import { isCriticalPod } from '../../kubelet/critical.ts';
import type { Basis, RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { clusterField, type LadderPod, ladderPodOf } from './ladder.ts';
import type { podListParameters } from './parameters.ts';
import { HttpProblem } from './problem-details.ts';
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
 * One page of the pods that fit, in the order of nodes and, within a node, of eviction. Those that are never evicted
 * come behind all others: a list would else open with them, for control-plane nodes have little else.
 * A cursor says where the last page ended by name, so that it stays valid when a refresh moves the ranks; an offset
 * is for those who jump, and counts in the snapshot of the moment.
 */
export async function listPods(
  snapshot: Snapshot,
  parameters: z.output<typeof podListParameters>,
): Promise<PodList> {
  const { limit, cursor, offset = 0 } = parameters;
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const everyPodFits = !isFiltered(parameters);
  const page: RankedPod[] = [];
  let total = 0;
  let passed = 0;
  let isPast = after === undefined;
  const visit = (node: RankedNode, isProtected: boolean): void => {
    const place = after === undefined ? 1 : comparePlaces({ ...node.node, isProtected }, after);
    // Past the cursor's node as well where the pod of the cursor is gone from it.
    if (place > 0) isPast = true;
    if (parameters.node !== undefined && node.node.name !== parameters.node) return;
    const count = countIn(node, isProtected);
    if (count === 0) return;
    const isOffPage = isPast ? passed + count <= offset || page.length > limit : place < 0;
    if (everyPodFits && isOffPage) {
      total += count;
      if (isPast) passed += count;
      return;
    }
    for (const ranked of node.pods) {
      if (isCriticalPod(ranked.pod) !== isProtected) continue;
      const isWanted = fits(ranked, parameters);
      if (isWanted) total++;
      if (!isPast) {
        isPast = place === 0 && ranked.pod.namespace === after?.namespace && ranked.pod.name === after.pod;
      } else if (isWanted && passed++ >= offset && page.length <= limit) {
        page.push(ranked);
      }
    }
  };
  for (const isProtected of [false, true]) {
    await visitNodes(snapshot.nodes, (node) => visit(node, isProtected));
  }
  return toList(snapshot, page, { ...parameters, total });
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

function toList(
  snapshot: Snapshot,
  found: readonly RankedPod[],
  { basis, limit, total }: { readonly basis: Basis; readonly limit: number; readonly total: number },
): PodList {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    pods: page.map((ranked) => ({
      ...clusterField(ranked.pod.cluster),
      node: ranked.pod.node,
      ...ladderPodOf(ranked, basis),
    })),
    nextCursor: found.length > limit && last !== undefined ? writeCursor(last) : null,
    total,
    evaluatedAt: new Date(snapshot.evaluatedAtMs).toISOString(),
  };
}

interface Position extends Place {
  readonly namespace: string;
  readonly pod: string;
}

function writeCursor({ pod }: RankedPod): string {
  const position = [isCriticalPod(pod), pod.cluster ?? null, pod.node, pod.namespace, pod.name];
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor(text: string): Position {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(parts) && parts.length === 5) {
      const [isProtected, ...names] = parts;
      const [cluster, name, namespace, pod] = names.map((part) => (part === null ? undefined : String(part)));
      if (name !== undefined && namespace !== undefined && pod !== undefined) {
        return { isProtected: isProtected === true, cluster, name, namespace, pod };
      }
    }
  } catch {
    // Falls through: whatever it was, it is not a cursor of ours.
  }
  throw new HttpProblem(400, 'Bad parameters', 'cursor: not one that this API handed out');
}

interface Place {
  readonly isProtected: boolean;
  readonly cluster: string | undefined;
  readonly name: string;
}

function comparePlaces(a: Place, b: Place): number {
  return (
    Number(a.isProtected) - Number(b.isProtected) ||
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.name, b.name)
  );
}
