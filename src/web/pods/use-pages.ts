import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PodList } from '../../outputs/api/pod-list.ts';
import { request } from '../service/request.ts';
import { useService } from '../service/service.tsx';

export type PodRow = PodList['pods'][number];

const pageRows = 200;
/** Pages kept: what is far from view is asked for again rather than kept, for 150,000 rows are 100 MB. */
const mostPages = 40;
/** Somebody who drags the scroll bar passes many pages without looking at them. */
const settleMs = 90;

export interface PagedPods {
  /** undefined until the first answer. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => PodRow | undefined;
  readonly show: (first: number, end: number) => void;
  readonly error: Error | undefined;
}

/** The pods that fit a query, page by page as they come into view. */
export function usePages(query: string): PagedPods {
  const { generation } = useService();
  const [answer, setAnswer] = useState<{ query: string; total: number }>();
  const [error, setError] = useState<Error>();
  const [, setLoaded] = useState(0);
  const pages = useRef(new Map<number, readonly PodRow[]>());
  const view = useRef({ first: 0, end: 1 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const underWay = useRef(new AbortController());

  const load = useCallback(
    async (isFresh: boolean) => {
      const { signal } = underWay.current;
      const first = Math.floor(view.current.first / pageRows);
      const last = Math.floor(Math.max(view.current.end - 1, 0) / pageRows);
      for (let page = first; page <= last; page++) {
        if (!isFresh && pages.current.has(page)) continue;
        try {
          const list = await request<PodList>(pagePath(query, page), { signal });
          if (signal.aborted) return;
          pages.current.set(page, list.pods);
          forgetFarPages(pages.current, page);
          setAnswer({ query, total: list.total });
          setError(undefined);
          setLoaded((count) => count + 1);
        } catch (problem) {
          if (!signal.aborted) setError(problem as Error);
          return;
        }
      }
    },
    [query],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation makes every page out of date
  useEffect(() => {
    underWay.current.abort();
    underWay.current = new AbortController();
    const { first, end } = view.current;
    // What is in view stays until its successor is there; all else is asked for when it comes into view.
    for (const page of [...pages.current.keys()]) {
      if ((page + 1) * pageRows <= first || page * pageRows >= end) pages.current.delete(page);
    }
    void load(true);
    return () => underWay.current.abort();
  }, [load, generation]);

  const show = useCallback(
    (first: number, end: number) => {
      view.current = { first, end };
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void load(false), settleMs);
    },
    [load],
  );
  const isCurrent = answer?.query === query;
  return {
    total: isCurrent ? answer.total : undefined,
    rowAt: (index) =>
      isCurrent ? pages.current.get(Math.floor(index / pageRows))?.[index % pageRows] : undefined,
    show,
    error,
  };
}

function pagePath(query: string, page: number): string {
  const separator = query === '' ? '' : '&';
  return `api/v1/pods?${query}${separator}limit=${pageRows}&offset=${page * pageRows}`;
}

function forgetFarPages(pages: Map<number, readonly PodRow[]>, near: number): void {
  const byDistance = [...pages.keys()].sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  for (const page of byDistance.slice(mostPages)) pages.delete(page);
}
