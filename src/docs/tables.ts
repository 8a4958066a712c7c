import { environmentName, type Option } from '../config/option.ts';
import { options } from '../config/options.ts';
import { inputCatalogue } from '../inputs/catalogue.ts';
import type { InputSpec } from '../inputs/source.ts';
import { operations } from '../outputs/api/operations.ts';
import { type MetricFamily, metrics } from '../outputs/metrics/catalogue.ts';
import { readChartValues } from './chart-values.ts';
import { reviewInputRows } from './review-input-rows.ts';

/** Markdown tables made from the tables in the code, by the name they have in the docs. */
export const docTables: Readonly<Record<string, () => string>> = {
  metrics: () =>
    markdownTable(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      Object.values<MetricFamily>(metrics).map(({ name, type, labels, help }) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(', '),
        help,
      ]),
    ),
  options: () =>
    markdownTable(
      ['Option', 'Environment', 'Default', 'What it is, and when to change it'],
      Object.values<Option>(options).map((row) => [
        `\`--${row.flag}\``,
        `\`${environmentName(row.flag)}\``,
        row.default === undefined || row.default === '' ? '' : `\`${row.default}\``,
        row.help,
      ]),
    ),
  inputs: () =>
    markdownTable(
      ['Input', 'Sources, the first that has data wins', 'Without it'],
      Object.entries<InputSpec>(inputCatalogue).map(([id, { sources, cost }]) => [
        `\`${id}\``,
        sources.map(({ metric }) => `\`${metric}\``).join(', '),
        cost,
      ]),
    ),
  review_inputs: () => markdownTable(['Input', 'Asked by', 'Series', 'Without it'], reviewInputRows()),
  values: () =>
    markdownTable(
      ['Value', 'Default', 'What it is, and when to change it'],
      readChartValues().map((row) => [`\`${row.path}\``, `\`${row.default}\``, row.description]),
    ),
  operations: () =>
    markdownTable(
      ['Route', 'What it answers', 'Parameters'],
      operations.map(({ method, path, summary, query }) => [
        `\`${method.toUpperCase()} ${path}\``,
        summary,
        Object.keys(query.shape)
          .map((name) => `\`${name}\``)
          .join(', '),
      ]),
    ),
};

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

const marked = /(<!-- table: (\w+) -->\n)[\s\S]*?\n?(<!-- end -->)/g;

/**
 * Writes the tables between their marks `<!-- table: NAME -->` and `<!-- end -->`; the rest stays as it is.
 * @throws Error for a mark that names no table.
 */
export function fillTables(text: string): string {
  return text.replaceAll(marked, (_all, start: string, name: string, end: string) => {
    const table = docTables[name];
    if (table === undefined)
      throw new Error(`there is no table "${name}"; there are ${Object.keys(docTables).join(', ')}`);
    return `${start}${table()}\n${end}`;
  });
}
