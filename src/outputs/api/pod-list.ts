import type { z } from 'zod';
import { compareText } from '../../foundation/text-order.ts';
import type { Basis, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
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
 * One page of the pods that fit, in the order of nodes and, within a node, of eviction.
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
  await visitNodes(snapshot.nodes, (node) => {
    const place = after === undefined ? 1 : compareNodes(node.node, after);
    // Past the cursor's node as well where the pod of the cursor is gone from it.
    if (place > 0) isPast = true;
    if (parameters.node !== undefined && node.node.name !== parameters.node) return;
    const { pods: count } = node.podCounts;
    const isOffPage = isPast ? passed + count <= offset || page.length > limit : place < 0;
    if (everyPodFits && isOffPage) {
      total += count;
      if (isPast) passed += count;
      return;
    }
    for (const ranked of node.pods) {
      const isWanted = fits(ranked, parameters);
      if (isWanted) total++;
      if (!isPast) {
        isPast = place === 0 && ranked.pod.namespace === after?.namespace && ranked.pod.name === after.pod;
      } else if (isWanted && passed++ >= offset && page.length <= limit) {
        page.push(ranked);
      }
    }
  });
  return toList(snapshot, page, { ...parameters, total });
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

interface Position {
  readonly cluster: string | undefined;
  readonly name: string;
  readonly namespace: string;
  readonly pod: string;
}

function writeCursor({ pod }: RankedPod): string {
  return Buffer.from(JSON.stringify([pod.cluster ?? null, pod.node, pod.namespace, pod.name])).toString(
    'base64url',
  );
}

function readCursor(text: string): Position {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(parts) && parts.length === 4) {
      const [cluster, name, namespace, pod] = parts.map((part) => (part === null ? undefined : String(part)));
      if (name !== undefined && namespace !== undefined && pod !== undefined) {
        return { cluster, name, namespace, pod };
      }
    }
  } catch {
    // Falls through: whatever it was, it is not a cursor of ours.
  }
  throw new HttpProblem(400, 'Bad parameters', 'cursor: not one that this API handed out');
}

interface NodeName {
  readonly cluster: string | undefined;
  readonly name: string;
}

function compareNodes(a: NodeName, b: NodeName): number {
  return compareText(a.cluster ?? '', b.cluster ?? '') || compareText(a.name, b.name);
}
