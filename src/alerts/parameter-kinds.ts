import { z } from 'zod';

// Kinds of values a parameter may have: how each is read from the command line and what is refused.

const multipliers: Readonly<Record<string, number>> = {
  '': 1,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

export const bytes = z
  .string()
  .regex(/^\d+(Ki|Mi|Gi|Ti)?$/, 'expected a whole number of bytes, or of Ki, Mi, Gi or Ti')
  .transform((text) => Number.parseInt(text, 10) * (multipliers[text.replace(/^\d+/, '')] ?? 1));
export const share = z.coerce.number().gt(0).lt(1);
export const count = z.coerce.number().int().min(1);
export const seconds = z.coerce.number().int().min(60);

// Descriptions carry queries between backticks, where Go's templates know no escape.
const text = z.string().regex(/^[^`\n]*$/, 'expected one line without a backtick');
export const regex = text.min(1).refine(isRegex, 'expected a regular expression');
export const labelName = z.string().regex(/^[a-zA-Z_]\w*$/, 'expected a label name');

const matcher = String.raw`[a-zA-Z_]\w*\s*(?:=|!=|=~|!~)\s*"(?:[^"\\]|\\.)*"`;
export const selector = text.regex(
  new RegExp(`^(?:${matcher}(?:\\s*,\\s*${matcher})*)?$`),
  'expected matchers such as job="evictrank",cluster="a"',
);

export const labels = z
  .string()
  .regex(/^(?:[a-zA-Z_][\w.\-/]*=[^,=]+(?:,[a-zA-Z_][\w.\-/]*=[^,=]+)*)?$/, 'expected name=value,name=value')
  .transform(
    (pairs): Readonly<Record<string, string>> =>
      Object.fromEntries(
        pairs
          .split(',')
          .filter((pair) => pair !== '')
          .map((pair) => pair.split('=')),
      ),
  );
const reservedLabels = new Set(['alertname', 'severity']);
export const alertLabels = labels.refine(
  (pairs) => Object.keys(pairs).every((name) => /^[a-zA-Z_]\w*$/.test(name) && !reservedLabels.has(name)),
  'expected label names other than alertname and severity',
);

/** Prometheus' regular expressions (RE2) are those of JavaScript without look-around and back-references. */
function isRegex(source: string): boolean {
  if (/\(\?(?!:)|\\[1-9k]/.test(source)) return false;
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
