import { z } from 'zod';
import { compareText } from '../../foundation/text-order.ts';
import type { RankedNode, RankedPod } from '../../snapshot/snapshot.ts';
import { HttpProblem } from './problem-details.ts';

export type PodSort = 'node' | 'headroom';

/** Where the pods of a node stand in the list: those that are never evicted, or the others. */
export interface NodePlace {
  readonly isProtected: boolean;
  /** Null sorts behind all numbers: the headroom is not known, or nodes are sorted by name alone. */
  readonly headroomBytes: number | null;
  readonly cluster: string | undefined;
  readonly name: string;
}

/** A pod of that node, by name: its rank may have moved since. */
export interface PodPlace extends NodePlace {
  readonly namespace: string;
  readonly pod: string;
}

/**
 * The node of the cursor stays where it was when the cursor was handed out, for its headroom has moved with the last
 * refresh, and the rest of its pods would be passed over or come again.
 */
export function placeOf(
  { node: { cluster, name }, headroomBytes }: RankedNode,
  {
    sort,
    isProtected,
    after,
  }: { readonly sort: PodSort; readonly isProtected: boolean; readonly after: PodPlace | undefined },
): NodePlace {
  const isCursorNode = after !== undefined && after.cluster === cluster && after.name === name;
  const known = isCursorNode ? after.headroomBytes : (headroomBytes ?? null);
  return { isProtected, headroomBytes: sort === 'node' ? null : known, cluster, name };
}

export function comparePlaces(a: NodePlace, b: NodePlace): number {
  return (
    Number(a.isProtected) - Number(b.isProtected) ||
    compareUnknownLast(a.headroomBytes, b.headroomBytes) ||
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.name, b.name)
  );
}

function compareUnknownLast(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

/**
 * Where the pods of the cursor's node go on. From its first where the pod of the cursor is gone: nobody knows how many
 * of those before it have gone with it, and pods that come again are better than pods that never come.
 */
export function indexAfter(pods: readonly RankedPod[], { namespace, pod }: PodPlace): number {
  return pods.findIndex((ranked) => ranked.pod.namespace === namespace && ranked.pod.name === pod) + 1;
}

export function writeCursor(place: PodPlace, sort: PodSort): string {
  const { isProtected, headroomBytes, cluster, name, namespace, pod } = place;
  const parts = [sort, isProtected, headroomBytes, cluster ?? null, name, namespace, pod];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const cursorParts = z.tuple([
  z.enum(['node', 'headroom']),
  z.boolean(),
  z.number().nullable(),
  z.string().nullable(),
  z.string(),
  z.string(),
  z.string(),
]);

/** @throws HttpProblem 400 where it is no cursor of ours, or one of a list in another order. */
export function readCursor(text: string, sort: PodSort): PodPlace {
  const parts = cursorParts.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parts.success) throw wrongCursor('not one that this API handed out');
  const [ownSort, isProtected, headroomBytes, cluster, name, namespace, pod] = parts.data;
  if (ownSort !== sort) throw wrongCursor(`of a list with sort=${ownSort}, not sort=${sort}`);
  return { isProtected, headroomBytes, cluster: cluster ?? undefined, name, namespace, pod };
}

function wrongCursor(reason: string): HttpProblem {
  return new HttpProblem(400, 'Bad parameters', `cursor: ${reason}`);
}

/** Undefined where it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
