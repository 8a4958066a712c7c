import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface VisibleRows {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/** Rows drawn beyond either edge, so that a turn of the wheel shows no gap. */
const spareRows = 8;

/**
 * Which rows of a long list of equal rows are in view. The list scrolls with the page, and its element is as high as
 * all its rows.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  { count, rowHeightPx }: { readonly count: number; readonly rowHeightPx: number },
): VisibleRows {
  const [visible, setVisible] = useState<VisibleRows>({ first: 0, end: 40 });
  useEffect(() => {
    let frame = 0;
    const read = () => {
      frame = 0;
      if (list.current === null) return;
      const topPx = -list.current.getBoundingClientRect().top;
      const first = clamp(Math.floor(topPx / rowHeightPx) - spareRows, count);
      const end = clamp(Math.ceil((topPx + innerHeight) / rowHeightPx) + spareRows, count);
      setVisible((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(read);
    };
    read();
    addEventListener('scroll', schedule, { passive: true });
    addEventListener('resize', schedule);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', schedule);
      removeEventListener('resize', schedule);
    };
  }, [list, count, rowHeightPx]);
  // Right after the list got shorter, what is visible is still from before.
  return { first: clamp(visible.first, count), end: clamp(visible.end, count) };
}

function clamp(index: number, count: number): number {
  return Math.min(Math.max(0, index), count);
}
