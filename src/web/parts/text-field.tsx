import { useEffect, useId, useRef, useState } from 'preact/hooks';

/**
 * A field whose text counts once it makes sense: until then it is marked, says why, and what was there before goes on
 * counting.
 */
export function TextField({
  label,
  value,
  check,
  onCommit,
  placeholder,
  isLabelHidden = false,
  inputMode = 'text',
}: {
  readonly label: string;
  readonly value: string;
  /** Why a text makes no sense; undefined where it does. The empty text always does. */
  readonly check: (text: string) => string | undefined;
  readonly onCommit: (text: string) => void;
  readonly placeholder?: string;
  readonly isLabelHidden?: boolean;
  readonly inputMode?: 'text' | 'numeric';
}) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const isFocused = useRef(false);
  // What is set elsewhere, by the slider or by the address, replaces a draft, but not under the hands of who types.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new value ends a draft
  useEffect(() => {
    if (!isFocused.current) setDraft(undefined);
  }, [value]);
  const text = draft ?? value;
  const problem = draft === undefined || draft.trim() === '' ? undefined : check(draft.trim());
  const change = (next: string) => {
    setDraft(next);
    const trimmed = next.trim();
    if (trimmed === '' || check(trimmed) === undefined) onCommit(trimmed);
  };
  return (
    <span class="field">
      <label for={id} class={isLabelHidden ? 'only-read' : 'field__label'}>
        {label}
      </label>
      <input
        id={id}
        class="field__input"
        type="text"
        inputMode={inputMode}
        autocomplete="off"
        spellcheck={false}
        value={text}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onInput={(event) => change(event.currentTarget.value)}
        onFocus={() => {
          isFocused.current = true;
        }}
        onBlur={() => {
          isFocused.current = false;
          if (problem === undefined) setDraft(undefined);
        }}
      />
      {problem !== undefined && (
        <span id={`${id}-problem`} class="field__problem">
          {problem}
        </span>
      )}
    </span>
  );
}
