import { type ExplanationExtras, explainPod, type PodExplanation } from '../../explain/pod-explanation.ts';
import type { RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { type PodDetail, podDetail } from './pod-detail.ts';

/** The facts of a pod with the reasons for its place. */
export interface ExplainedPod extends PodDetail {
  readonly explanation: PodExplanation;
}

export function explainedPod(
  snapshot: Snapshot,
  found: { readonly ranked: RankedPod; readonly node: RankedNode },
  extras: ExplanationExtras,
): ExplainedPod {
  return { ...podDetail(found), explanation: explainPod(snapshot, found, extras) };
}
