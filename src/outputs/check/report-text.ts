import { csvText } from '../cli/rank-csv.ts';
import { type Colors, printable } from '../cli/terminal.ts';
import { type Column, textTable } from '../cli/text-table.ts';
import { wrapOnTerminal } from '../cli/wrapped-text.ts';
import type { Finding } from './finding.ts';
import { type CheckReport, type InputReport, isFineWhenEmpty, isProblem } from './report.ts';

const columns: readonly Column<InputReport>[] = [
  { title: 'INPUT', align: 'left', text: ({ id }) => id },
  { title: 'SOURCE USED', align: 'left', minWidth: 30, text: ({ source }) => source ?? '-' },
  { title: 'SERIES', align: 'right', dropOrder: 1, text: ({ series }) => String(series) },
  { title: 'COVERAGE', align: 'right', text: coverageText },
  { title: 'STATE', align: 'left', text: stateText },
];

/** The report for people. */
export function reportText(report: CheckReport, width: number | undefined, colors: Colors): string {
  const { inputs, findings, runningPods, nodes } = report;
  const [head = '', ...body] = textTable(columns, [{ heading: undefined, rows: inputs }], width);
  const problems = findings.filter(isProblem);
  const notes = findings.filter((finding) => !isProblem(finding));
  const lines = [
    colors.bold(`${runningPods} running pods on ${nodes} nodes`),
    colors.dim(head),
    ...body,
    '',
    ...section(colors.red('Problems that make ranks wrong or leave nodes unranked'), problems, width),
    ...section(colors.yellow('Worth knowing'), notes, width),
    problems.length === 0
      ? colors.green('All that ranking needs is there.')
      : colors.red(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} to repair.`),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line for each input. */
export function reportCsv({ inputs }: CheckReport): string {
  return csvText(
    ['input', 'outcome', 'source', 'series', 'coverageOf', 'covered', 'total', 'cost', 'remedy'],
    inputs.map(({ id, coverage, ...rest }) => ({
      ...rest,
      input: id,
      coverageOf: coverage?.of,
      covered: coverage?.covered,
      total: coverage?.total,
    })),
  );
}

function section(title: string, findings: readonly Finding[], columns: number | undefined): string[] {
  if (findings.length === 0) return [];
  return [
    title,
    ...findings.flatMap(({ message, remedy }) => [
      ...wrapOnTerminal(`- ${printable(message)}`, { columns, indent: 2, hang: 2 }),
      ...wrapOnTerminal(`→ ${printable(remedy)}`, { columns, indent: 4, hang: 2 }),
    ]),
    '',
  ];
}

function coverageText({ coverage }: InputReport): string {
  if (coverage === null || coverage.total === 0) return '';
  // Rounded down, so that 100 % means all.
  return `${Math.floor((100 * coverage.covered) / coverage.total)}% of ${coverage.of}`;
}

function stateText({ id, outcome, coverage }: InputReport): string {
  if (outcome === 'empty' && isFineWhenEmpty(id)) return 'none';
  if (outcome !== 'ok') return outcome;
  return coverage?.isExpectedFull && coverage.covered < coverage.total ? 'incomplete' : 'ok';
}
