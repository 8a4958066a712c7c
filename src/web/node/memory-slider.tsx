import { useId } from 'preact/hooks';
import { bytesText } from '../parts/amount.tsx';
import type { SliderMark } from './slider-scale.ts';

const mebibyte = 2 ** 20;

/** Additional memory use, with marks where the kubelet takes one more pod. */
export function MemorySlider({
  label,
  valueBytes,
  endBytes,
  stepBytes,
  marks,
  onChange,
}: {
  readonly label: string;
  readonly valueBytes: number;
  readonly endBytes: number;
  readonly stepBytes: number;
  readonly marks: readonly SliderMark[];
  readonly onChange: (bytes: number) => void;
}) {
  const id = useId();
  const startBytes = Math.min(0, valueBytes);
  const lastBytes = Math.max(endBytes, valueBytes);
  const share = (bytes: number) => (bytes - startBytes) / (lastBytes - startBytes);
  const next = marks.find(({ bytes }) => bytes >= valueBytes);
  const previous = marks.findLast(({ bytes }) => bytes < valueBytes);
  return (
    <div class="slider">
      <div class="slider__line">
        <div class="slider__marks" aria-hidden="true">
          {spread(marks, share).map(({ mark, order, isLabelled }) => (
            <span
              key={mark.bytes}
              class={`slider__mark${mark.bytes < valueBytes ? ' slider__mark--passed' : ''}`}
              // The middle of the thumb moves from half its width to the end less half its width.
              style={{ left: `calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${share(mark.bytes)})` }}
              title={`beyond ${bytesText(mark.bytes)} goes ${mark.pods.join(', ')}`}
            >
              {isLabelled ? order : ''}
            </span>
          ))}
        </div>
        <input
          id={id}
          class="slider__input"
          type="range"
          aria-label={label}
          aria-valuetext={`${bytesText(valueBytes)} more`}
          min={startBytes / mebibyte}
          max={lastBytes / mebibyte}
          step={stepBytes / mebibyte}
          value={valueBytes / mebibyte}
          style={{ '--filled': `${100 * share(valueBytes)}%` }}
          onInput={(event) => onChange(Number(event.currentTarget.value) * mebibyte)}
        />
      </div>
      <div class="slider__jumps">
        <button
          type="button"
          class="button"
          disabled={previous === undefined}
          onClick={() => previous && onChange(previous.bytes)}
        >
          One eviction fewer
        </button>
        <button
          type="button"
          class="button"
          disabled={next === undefined}
          onClick={() => next && onChange(beyond(next.bytes))}
        >
          One eviction more
        </button>
      </div>
    </div>
  );
}

/** The next whole mebibyte at which the threshold is met: it is when less than that is available, not when as much. */
function beyond(bytes: number): number {
  return (Math.floor(bytes / mebibyte) + 1) * mebibyte;
}

/** Marks that would stand on each other get no number. */
function spread(marks: readonly SliderMark[], share: (bytes: number) => number) {
  const leastGap = 0.03;
  let last = Number.NEGATIVE_INFINITY;
  return marks.map((mark, index) => {
    const at = share(mark.bytes);
    const isLabelled = at - last >= leastGap;
    if (isLabelled) last = at;
    return { mark, order: index + 1, isLabelled };
  });
}
