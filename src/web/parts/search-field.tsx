import { useEffect, useId, useState } from 'preact/hooks';

/** Text to look for; it counts once nobody has typed for a moment. */
export function SearchField({
  label,
  value,
  onChange,
  delayMs = 150,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly delayMs?: number;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange, delayMs]);
  return (
    <span class="search">
      <label for={id} class="only-read">
        {label}
      </label>
      <input
        id={id}
        type="search"
        class="field__input"
        value={text}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        maxLength={253}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </span>
  );
}
