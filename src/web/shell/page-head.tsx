import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The heading of a view. It takes the focus when the view changes, so that a screen reader says where one is. */
export function PageHead({
  title,
  kind,
  trail = [],
  children,
}: {
  readonly title: string;
  /** What it is the name of. */
  readonly kind?: string;
  readonly trail?: readonly (readonly [text: string, address: string])[];
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · evictrank`;
    // Not at the first view: whoever opens the page starts at its top.
    if (hasMoved) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    hasMoved = true;
  }, [title]);
  return (
    <div class="page-head">
      {trail.length > 0 && (
        <nav aria-label="Path" class="page-head__trail">
          {trail.map(([text, address]) => (
            <span key={address}>
              <a href={address}>{text}</a>
              <span aria-hidden="true"> / </span>
            </span>
          ))}
        </nav>
      )}
      <h1 ref={heading} tabIndex={-1} class="page-head__title">
        {kind !== undefined && <span class="only-read">{kind} </span>}
        {title}
      </h1>
      {children}
    </div>
  );
}

let hasMoved = false;
