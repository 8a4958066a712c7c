import type { ComponentChildren } from 'preact';

/** Scrolls sideways by itself where the screen is too narrow for a table, also with the keyboard. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus nobody could scroll it with the keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
