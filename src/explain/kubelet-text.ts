import type { Snapshot } from '../snapshot/snapshot.ts';
import { type EvictionMessageMeaning, explainEvictionMessage } from './eviction-message-meaning.ts';
import { explainRankedLog, type RankedLogMeaning } from './ranked-log-meaning.ts';

export interface UnknownText {
  readonly kind: 'unknown';
  readonly summary: string;
}

/** What a text of the kubelet means. */
export type KubeletTextMeaning = EvictionMessageMeaning | RankedLogMeaning | UnknownText;

/**
 * Explains an eviction message or a `pods ranked for eviction` line of the kubelet's log.
 * Throws QuantityError where the text has the right words, but a number that is none.
 * @param nodes to compare a logged order with; none where no ranking is at hand.
 */
export function explainKubeletText(text: string, nodes: Snapshot['nodes'] = []): KubeletTextMeaning {
  return (
    explainRankedLog(text, nodes) ??
    explainEvictionMessage(text) ?? {
      kind: 'unknown',
      summary:
        'This is neither an eviction message ("The node was low on resource: …") nor a line "pods ranked for eviction" of the kubelet\'s log.',
    }
  );
}
