import type { ComparatorGroup } from '../../kubelet/candidate.ts';
import { bytesText } from './amount.tsx';

export type Tone = ComparatorGroup | 'system' | 'extra' | 'free' | 'evicted';

export interface BarPart {
  readonly key: string;
  readonly tone: Tone;
  readonly bytes: number;
  /** For words and for hovering. */
  readonly label: string;
}

/**
 * What the memory of a node is used by, on one line. Where more is asked for than there is, the line is as long as
 * what is asked for, and the end of the memory is marked.
 */
export function MemoryBar({
  parts,
  capacityBytes,
  thresholdBytes,
  size = 'small',
}: {
  readonly parts: readonly BarPart[];
  readonly capacityBytes: number;
  readonly thresholdBytes: number | null;
  readonly size?: 'small' | 'large';
}) {
  const shown = parts.filter(({ bytes }) => bytes > 0);
  const usedBytes = shown.reduce((sum, { bytes }) => sum + bytes, 0);
  const scaleBytes = Math.max(capacityBytes, usedBytes);
  const percent = (bytes: number) => `${(100 * bytes) / scaleBytes}%`;
  const words = [
    ...shown.map(({ label, bytes }) => `${label} ${bytesText(bytes)}`),
    `${usedBytes > capacityBytes ? 'short by' : 'free'} ${bytesText(Math.abs(capacityBytes - usedBytes))}`,
    `of ${bytesText(capacityBytes)}`,
  ];
  return (
    <div class={`memory memory--${size}`} role="img" aria-label={words.join(', ')}>
      {shown.map(({ key, tone, bytes, label }) => (
        <span
          key={key}
          class={`memory__part tone-${tone}`}
          style={{ width: percent(bytes) }}
          title={`${label}: ${bytesText(bytes)}`}
        />
      ))}
      {thresholdBytes !== null && (
        <span
          class="memory__threshold"
          style={{ left: percent(Math.max(0, capacityBytes - thresholdBytes)) }}
          title={`eviction threshold: ${bytesText(thresholdBytes)} free`}
        />
      )}
      {usedBytes > capacityBytes && (
        <span class="memory__end" style={{ left: percent(capacityBytes) }} title="end of the memory" />
      )}
    </div>
  );
}
