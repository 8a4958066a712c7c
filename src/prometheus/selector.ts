// Grammar: Prometheus `promql/parser/lex.go` and `util/strutil/quote.go`; the regular expressions are RE2.

export type MatchOperator = '=' | '!=' | '=~' | '!~';

const CLASSIC_LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const CLASSIC_METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
/** The lexer reads these as numbers or keywords before it reads them as a metric name. */
const RESERVED_NAME =
  /^(nan|inf|and|or|unless|atan2|by|without|on|ignoring|group_left|group_right|bool|offset|start|end)$/i;

const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A PromQL string literal whose value is exactly `text`; control characters are escaped, and U+FFFD, which the lexer
 * takes for broken UTF-8. The rest stays readable.
 */
export function quoteString(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(
      /[\p{Cc}\uFFFD]/gu,
      (char) => NAMED_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return `"${escaped}"`;
}

/** A regular expression that matches `text` and nothing else (PromQL anchors every regular expression). */
export function quoteRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

/** A label name for a selector, `by (…)` or `on (…)`. Other than classic names are quoted, as Prometheus 3 reads them. */
export function labelName(name: string): string {
  return CLASSIC_LABEL_NAME.test(name) ? name : quoteString(name);
}

/** One matcher, such as `namespace="default"`. For `=~` and `!~` the value is a regular expression. */
export function labelMatcher(name: string, operator: MatchOperator, value: string): string {
  return `${labelName(name)}${operator}${quoteString(value)}`;
}

/** One matcher for a label that has one of the given values, taken literally. Throws a RangeError for none. */
export function oneOf(name: string, values: readonly string[]): string {
  const [first, ...others] = values;
  if (first === undefined) throw new RangeError(`a matcher on ${name} needs at least one value`);
  if (others.length === 0) return labelMatcher(name, '=', first);
  return labelMatcher(name, '=~', values.map(quoteRegex).join('|'));
}

/**
 * A selector of one metric. A name that is not a plain identifier is matched through `__name__`,
 * which every version of every backend reads, unlike the quoted names of Prometheus 3.
 */
export function selector(metric: string, matchers: readonly string[] = []): string {
  if (CLASSIC_METRIC_NAME.test(metric) && !RESERVED_NAME.test(metric)) {
    return matchers.length === 0 ? metric : `${metric}{${matchers.join(',')}}`;
  }
  return `{${[labelMatcher('__name__', '=', metric), ...matchers].join(',')}}`;
}
