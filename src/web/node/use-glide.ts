import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const durationMs = 260;

/** Lets the items of a list glide to their new places when their order changes, unless somebody wants less motion. */
export function useGlide(list: RefObject<HTMLElement | null>, order: string): void {
  const before = useRef<{ readonly order: string; readonly tops: ReadonlyMap<string, number> } | undefined>(
    undefined,
  );
  useLayoutEffect(() => {
    const tops = new Map<string, number>();
    const items = list.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [];
    for (const item of items) tops.set(item.dataset.key ?? '', item.offsetTop);
    const last = before.current;
    before.current = { order, tops };
    if (last === undefined || last.order === order) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const item of items) {
      const key = item.dataset.key ?? '';
      const shiftPx = (last.tops.get(key) ?? Number.NaN) - (tops.get(key) ?? Number.NaN);
      if (Number.isNaN(shiftPx) || shiftPx === 0) continue;
      item.animate([{ transform: `translateY(${shiftPx}px)` }, { transform: 'none' }], {
        duration: durationMs,
        easing: 'ease-out',
      });
    }
  });
}
