import Table from 'cli-table3';
import { printable } from './terminal.ts';

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly text: (row: Row) => string;
  /** Where the terminal is narrow, columns go in this order, 1 first; undefined = never. */
  readonly dropOrder?: number;
  /** May be shortened in the middle, to no less than this. */
  readonly minWidth?: number;
}

/** Rows under a heading of their own. */
export interface Section<Row> {
  readonly heading: string | undefined;
  readonly rows: readonly Row[];
}

const gap = 2;

/** Lines of a table without borders, no wider than `columns` where the content allows it. */
export function textTable<Row>(
  all: readonly Column<Row>[],
  sections: readonly Section<Row>[],
  columns: number | undefined,
): string[] {
  const rows = sections.flatMap((section) => section.rows);
  const { shown, widths } = fitColumns(all, rows, columns);
  const table = new Table({
    chars: {
      ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', mid: '', 'left-mid': '', 'mid-mid': '' },
      ...{ 'right-mid': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
      ...{ left: '', right: '', middle: ' '.repeat(gap) },
    },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: shown.map(({ align }) => align),
    colWidths: widths,
    head: shown.map(({ title }) => title),
  });
  const cellsOf = (row: Row): string[] =>
    shown.map(({ text }, i) => shorten(printable(text(row)), widths[i] ?? 0));
  for (const row of rows) table.push(cellsOf(row));
  const [head = '', ...body] = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  // Headings stand outside the grid: a long one must not widen a column.
  const lines = [head];
  let next = 0;
  for (const { heading, rows: own } of sections) {
    if (own.length === 0) continue;
    if (heading !== undefined) lines.push(heading);
    lines.push(...body.slice(next, next + own.length));
    next += own.length;
  }
  return lines;
}

function fitColumns<Row>(all: readonly Column<Row>[], rows: readonly Row[], columns: number | undefined) {
  const natural = new Map(
    all.map((column) => [
      column,
      Math.max(column.title.length, ...rows.map((row) => printable(column.text(row)).length)),
    ]),
  );
  const widthOf = (column: Column<Row>, isTight: boolean): number => {
    const width = natural.get(column) ?? 0;
    return isTight && column.minWidth !== undefined ? Math.min(width, column.minWidth) : width;
  };
  const total = (shown: readonly Column<Row>[], isTight: boolean): number =>
    shown.reduce((sum, column) => sum + widthOf(column, isTight), gap * (shown.length - 1));
  const limit = columns ?? Number.POSITIVE_INFINITY;
  let shown = all;
  while (total(shown, true) > limit) {
    const droppable = shown.filter(({ dropOrder }) => dropOrder !== undefined);
    const first = droppable.toSorted((a, b) => (a.dropOrder ?? 0) - (b.dropOrder ?? 0))[0];
    if (first === undefined) break;
    shown = shown.filter((column) => column !== first);
  }
  let excess = Math.max(0, total(shown, false) - limit);
  const widths = shown.map((column) => {
    const width = widthOf(column, false);
    const spare = Math.min(excess, width - widthOf(column, true));
    excess -= spare;
    return width - spare;
  });
  return { shown, widths };
}

/** The end of a pod's name tells replicas apart, and the start its workload: the middle goes. */
function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.min(8, Math.floor((width - 1) / 2));
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}

/** Prose in lines of `width` at most, broken at spaces; every line but the first is indented. */
export function wrapText(text: string, width: number | undefined, indent = ''): string[] {
  if (width === undefined) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
