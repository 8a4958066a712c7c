import { explainPod, type PodExplanation } from '../../explain/pod-explanation.ts';
import type { RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { type PodDetail, podDetail } from './pod-detail.ts';
import type { PodDetailReader } from './pod-detail-cache.ts';

/** The facts of a pod with the reasons for its place. */
export interface ExplainedPod extends PodDetail {
  readonly explanation: PodExplanation;
}

/** @param readDetail undefined where there is nobody to ask about containers. */
export async function explainedPod(
  snapshot: Snapshot,
  found: { readonly ranked: RankedPod; readonly node: RankedNode },
  readDetail: PodDetailReader | undefined,
): Promise<ExplainedPod> {
  const detail = await readDetail?.(found.ranked.pod);
  return { ...podDetail(found), explanation: explainPod(snapshot, found, { detail }) };
}
