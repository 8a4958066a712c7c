import { useEffect, useState } from 'preact/hooks';

/** Copies a text; says so in the button itself. Without a clipboard (plain HTTP to another host) it offers the text. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), outcome === 'copied' ? 2_000 : 20_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return (
    <span class="copy">
      <button type="button" class="button" onClick={() => void copy()}>
        {outcome === 'copied' ? 'Copied' : label}
      </button>
      {outcome === 'refused' && (
        <input
          class="copy__text"
          readOnly
          value={text()}
          aria-label={`${label}: select and copy this text`}
          ref={(field) => field?.select()}
        />
      )}
    </span>
  );
}
