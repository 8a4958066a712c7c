import { useEffect, useState } from 'preact/hooks';
import { request, UnreachableError } from './request.ts';
import { useService } from './service.tsx';

export interface Resource<T> {
  /** The last good answer for this path; stays while a newer one is asked for and while nobody answers. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
}

/** What the API answers for a path, asked for again whenever the service has new data. undefined = ask for nothing. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const { generation } = useService();
  const [answer, setAnswer] = useState<Resource<T> & { readonly path: string | undefined }>({
    path: undefined,
    data: undefined,
    error: undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation means that the answer may be another one
  useEffect(() => {
    if (path === undefined) return;
    const superseded = new AbortController();
    request<T>(path, { signal: superseded.signal }).then(
      (data) => setAnswer({ path, data, error: undefined }),
      (error: Error) => {
        if (superseded.signal.aborted) return;
        setAnswer((before) => ({
          path,
          // What was there is worth more than an empty page while the service restarts.
          data: before.path === path && error instanceof UnreachableError ? before.data : undefined,
          error,
        }));
      },
    );
    return () => superseded.abort();
  }, [path, generation]);
  return answer.path === path ? answer : { data: undefined, error: undefined };
}
