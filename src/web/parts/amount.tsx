import { formatBytes } from '../../foundation/byte-text.ts';

/** Bytes to read; hovering shows all digits. What is not known is a dash, never 0. */
export function Bytes({
  value,
  isDifference = false,
}: {
  readonly value: number | null | undefined;
  /** Written with its sign. */
  readonly isDifference?: boolean;
}) {
  if (value === null || value === undefined) return <Unknown />;
  return (
    <span class="amount" title={`${value.toLocaleString('en')} bytes`}>
      {isDifference ? signedBytes(value) : bytesText(value)}
    </span>
  );
}

export function Unknown({ text = 'not known' }: { readonly text?: string }) {
  return (
    <span class="unknown" title={text}>
      <span aria-hidden="true">–</span>
      <span class="only-read">{text}</span>
    </span>
  );
}

/** A sum over many: nobody needs more than three digits of it. */
export function Total({
  bytes,
  isDifference = false,
}: {
  readonly bytes: number;
  readonly isDifference?: boolean;
}) {
  const unit = Math.abs(bytes) >= 10 * 2 ** 30 ? 2 ** 30 : 2 ** 20;
  return <Bytes value={Math.round(bytes / unit) * unit} isDifference={isDifference} />;
}

/** With a true minus, which is as wide as a plus. */
export function bytesText(bytes: number): string {
  return formatBytes(Math.round(bytes)).replace('-', '−');
}

export function signedBytes(bytes: number): string {
  return bytes > 0 ? `+${bytesText(bytes)}` : bytesText(bytes);
}

export function wholeText(value: number): string {
  return value.toLocaleString('en').replace('-', '−');
}

/** `4 s`, `12 min`, `3 h`. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
