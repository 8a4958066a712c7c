const keywords = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'on',
  'by',
  'ignoring',
  'group_left',
  'group_right',
]);

/** Names of the metrics a PromQL expression reads: what is left without texts, matchers, label lists and functions. */
export function metricNames(expression: string): readonly string[] {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, ' ')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\boffset\s+\w+/g, ' ');
  const names = [...bare.matchAll(/(?<![\w:.])[a-zA-Z_:][\w:]*(?![\w:]|\s*\()/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !keywords.has(name));
}
