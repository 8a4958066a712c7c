import type { ComponentChildren } from 'preact';
import { ProblemError } from '../service/request.ts';

export function Notice({
  kind = 'info',
  title,
  children,
}: {
  readonly kind?: 'info' | 'warning' | 'error';
  readonly title?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`notice notice--${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {title !== undefined && <strong class="notice__title">{title}</strong>}
      <div>{children}</div>
    </div>
  );
}

/** What stands in place of something that could not be had, or is not there yet. */
export function Absent({ error, what }: { readonly error: Error | undefined; readonly what: string }) {
  if (error instanceof ProblemError) {
    return (
      <Notice kind={error.problem.status === 503 ? 'info' : 'error'} title={error.problem.title}>
        {error.problem.detail}
      </Notice>
    );
  }
  if (error !== undefined) return null;
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  );
}
