import { groupNames } from '../../explain/comparator-names.ts';
import type { Tone } from '../parts/memory-bar.tsx';

const entries: readonly (readonly [tone: Tone | 'threshold', text: string])[] = [
  ['system', 'outside pods'],
  ['extra', 'added'],
  ['protected', groupNames.protected],
  ['within_request', groupNames.within_request],
  ['exceeds_request', groupNames.exceeds_request],
  ['evicted', 'evicted'],
  ['free', 'free'],
  ['threshold', 'eviction threshold'],
];

export function Legend() {
  return (
    <ul class="legend" aria-label="Colours of the bar">
      {entries.map(([tone, text]) => (
        <li key={tone} class="legend__entry">
          <span class={`legend__mark tone-${tone}`} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
