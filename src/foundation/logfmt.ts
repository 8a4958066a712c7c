/**
 * One line of `key=value` pairs, as Go's `log/slog` text handler and go-logfmt write and Loki reads them. Values with
 * white space, quotes, `=` or control characters are quoted as in JSON, so that a line stays a line whatever is logged.
 */
export function formatLogfmt(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key.replace(/[^\w.-]/g, '_')}=${formatValue(value)}`)
    .join(' ');
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text === '' || /[\s"=\\\p{Cc}\p{Cf}]/u.test(text) ? quote(text) : text;
}

/** JSON leaves some control and format characters as they are; in a terminal they may hide or reorder text. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char.split('').map(escapeUnit).join(''),
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
