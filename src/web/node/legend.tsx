import type { Tone } from '../parts/memory-bar.tsx';

const entries: readonly (readonly [tone: Tone | 'threshold', text: string])[] = [
  ['system', 'outside pods'],
  ['extra', 'added'],
  ['protected', 'never evicted'],
  ['within_request', 'within request'],
  ['exceeds_request', 'over request'],
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
