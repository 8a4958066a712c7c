/** A few choices side by side, as radio buttons. */
export function Choice<Value extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="choice">
      <legend class="only-read">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option} class={`choice__option${option === value ? ' choice__option--on' : ''}`}>
          <input
            type="radio"
            class="only-read"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
