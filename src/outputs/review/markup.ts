/** A piece of HTML that is safe to put into a page. */
export interface Markup {
  readonly html: string;
}

type Part = Markup | string | number | undefined | readonly Markup[];

/** A template whose text parts are escaped: only what another template made goes in as it is. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: texts.reduce((all, text, i) => `${all}${renderPart(parts[i - 1])}${text}`) };
}

function renderPart(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

function escapeText(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}
