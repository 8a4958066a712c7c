import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Status } from '../../outputs/api/status.ts';
import { request } from './request.ts';

/** What the page knows of the service. */
export interface ServiceState {
  /** The last one that was answered. */
  readonly status: Status | undefined;
  /** Since when nobody answers; undefined while somebody does. */
  readonly lostSinceMs: number | undefined;
  /** Changes whenever there is something new to be asked for. */
  readonly generation: string;
}

const unknown: ServiceState = { status: undefined, lostSinceMs: undefined, generation: '' };
const Service = createContext<ServiceState>(unknown);

/** How often the status is asked for: it is small, and tells whether the rest has to be asked for again. */
const pollMs = 5_000;
/** After a failure: soon at first, for a restart takes a second or two. */
const retryMs = [500, 1_000, 2_000, 5_000] as const;

export function ServiceProvider({ children }: { readonly children: ComponentChildren }) {
  const [state, setState] = useState(unknown);
  useEffect(() => watchService(setState), []);
  return <Service.Provider value={state}>{children}</Service.Provider>;
}

export function useService(): ServiceState {
  return useContext(Service);
}

/** Asks for the status for as long as the page is there. @returns ends it */
function watchService(change: (next: (before: ServiceState) => ServiceState) => void): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  async function ask(): Promise<void> {
    let waitMs: number = pollMs;
    try {
      const status = await request<Status>('api/v1/status', { signal: ended.signal });
      const generation = status.data?.evaluatedAt ?? '';
      const wasLost = failures > 0;
      failures = 0;
      change((before) => ({
        status,
        lostSinceMs: undefined,
        // After an outage everything is asked for again, even if the data are the same.
        generation: wasLost ? `${generation} ${Date.now()}` : keepIfSame(before.generation, generation),
      }));
      if (status.data === null) waitMs = 1_000;
    } catch {
      if (ended.signal.aborted) return;
      waitMs = retryMs[Math.min(failures++, retryMs.length - 1)] ?? pollMs;
      change((before) => ({ ...before, lostSinceMs: before.lostSinceMs ?? Date.now() }));
    }
    timer = setTimeout(ask, waitMs);
  }

  const askNow = () => {
    if (document.visibilityState === 'hidden') return;
    clearTimeout(timer);
    void ask();
  };
  void ask();
  // A tab in the background is slowed down by the browser; whoever comes back to it wants to see what is.
  document.addEventListener('visibilitychange', askNow);
  return () => {
    ended.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', askNow);
  };
}

function keepIfSame(before: string, evaluatedAt: string): string {
  return before.split(' ')[0] === evaluatedAt ? before : evaluatedAt;
}
