/** Narrowest text worth wrapping: below it a line of names would break in every word. */
const NARROWEST = 40;
/** Longer lines tire the eye, however wide the terminal is. */
const WIDEST = 100;

/** Words in lines no wider than the terminal, each line after the first indented by `hang` more. */
export function wrapText(
  text: string,
  { columns, indent = 0, hang = 0 }: { columns: number | undefined; indent?: number; hang?: number },
): string[] {
  const width = Math.max(NARROWEST, Math.min(columns ?? WIDEST, WIDEST));
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(indent + hang);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Wrapped on a terminal alone: elsewhere one finding is one line, for grep. */
export function wrapOnTerminal(
  text: string,
  { columns, indent = 0, hang = 0 }: Parameters<typeof wrapText>[1],
): string[] {
  return columns === undefined ? [' '.repeat(indent) + text] : wrapText(text, { columns, indent, hang });
}

/** `- text`, wrapped behind the dash. */
export function bullet(text: string, columns: number | undefined): string[] {
  return wrapText(`- ${text}`, { columns, indent: 2, hang: 2 });
}
