/** What a text of the kubelet means, as a person reads it. */
import type { EvictionMessageMeaning } from '../../explain/eviction-message-meaning.ts';
import type { KubeletTextMeaning } from '../../explain/kubelet-text.ts';
import { type Colors, printable } from './terminal.ts';
import { bullet, wrapText } from './wrapped-text.ts';

export function meaningText(
  meaning: KubeletTextMeaning,
  { columns, colors }: { readonly columns: number | undefined; readonly colors: Colors },
): string {
  const lines = wrapText(printable(meaning.summary), { columns });
  const sections =
    meaning.kind === 'node_pressure' || meaning.kind === 'storage_limit' ? sectionsOf(meaning) : [];
  for (const [title, texts] of sections) {
    if (texts.length === 0) continue;
    lines.push('', colors.bold(title), ...texts.flatMap((text) => bullet(printable(text), columns)));
  }
  return `${lines.join('\n')}\n`;
}

const deciders: Readonly<Record<NonNullable<EvictionMessageMeaning['decidedBy']>, string>> = {
  exceeds_request: 'It used more than it requested, and such pods go first.',
  priority: 'It was within its request, so its priority decided: no pod left had a lower one.',
};

function sectionsOf({ decidedBy, reasons, remedies, caveats }: EvictionMessageMeaning) {
  return [
    ['Why this pod', [...(decidedBy === undefined ? [] : [deciders[decidedBy]]), ...reasons]],
    ['What would have helped', remedies],
    ['Mind that', caveats],
  ] as const;
}
