import type { z } from 'zod';
import { compareText } from '../../foundation/text-order.ts';
import type { RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { clusterField, type LadderPod, ladderPodOf } from './ladder.ts';
import type { podListParameters } from './parameters.ts';
import { HttpProblem } from './problem-details.ts';

export interface PodList {
  readonly pods: readonly (LadderPod & { readonly node: string; readonly cluster?: string })[];
  /** Hand it back as `cursor` for the next page; null on the last one. */
  readonly nextCursor: string | null;
  readonly evaluatedAt: string;
}

/**
 * One page of the pods that fit, in the order of nodes and, within a node, of eviction.
 * A cursor says where the last page ended by name, so that it stays valid when a refresh moves the ranks.
 */
export function listPods(snapshot: Snapshot, parameters: z.output<typeof podListParameters>): PodList {
  const { basis, limit, cursor } = parameters;
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const page: RankedPod[] = [];
  let isPast = after === undefined;
  for (const node of snapshot.nodes) {
    if (!isPast && after !== undefined && compareNodes(node.node, after) < 0) continue;
    if (parameters.node !== undefined && node.node.name !== parameters.node) continue;
    for (const ranked of node.pods) {
      if (!isPast && after !== undefined && compareNodes(node.node, after) === 0) {
        isPast = ranked.pod.namespace === after.namespace && ranked.pod.name === after.pod;
        continue;
      }
      isPast = true;
      if (fits(ranked, parameters)) page.push(ranked);
      if (page.length > limit) return toList(snapshot, page.slice(0, limit), { basis, hasMore: true });
    }
    // The pod of the cursor is gone from its node: go on with the next node.
    if (after !== undefined && compareNodes(node.node, after) === 0) isPast = true;
  }
  return toList(snapshot, page, { basis, hasMore: false });
}

function fits(ranked: RankedPod, wanted: z.output<typeof podListParameters>): boolean {
  const { pod } = ranked;
  return (
    (wanted.cluster === undefined || pod.cluster === wanted.cluster) &&
    (wanted.namespace === undefined || pod.namespace === wanted.namespace) &&
    (wanted.qos_class === undefined || pod.qosClass === wanted.qos_class) &&
    (wanted.group === undefined || ranked[wanted.basis].group === wanted.group)
  );
}

function toList(
  snapshot: Snapshot,
  page: readonly RankedPod[],
  { basis, hasMore }: { basis: 'now' | 'peak'; hasMore: boolean },
): PodList {
  const last = page.at(-1);
  return {
    pods: page.map((ranked) => ({
      ...clusterField(ranked.pod.cluster),
      node: ranked.pod.node,
      ...ladderPodOf(ranked, basis),
    })),
    nextCursor: hasMore && last !== undefined ? writeCursor(last) : null,
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
