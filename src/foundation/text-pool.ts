/**
 * Gives equal texts one object. A name that comes in several answers is then in memory once, and is compared and looked
 * up faster. Keeps every text it was given for as long as it lives itself.
 */
export type TextPool = (text: string) => string;

export function createTextPool(): TextPool {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, text);
    return text;
  };
}
