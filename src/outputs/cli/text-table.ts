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
  const line = (cells: readonly string[]): string =>
    shown
      .map(({ align }, i) => pad(cells[i] ?? '', widths[i] ?? 0, align))
      .join(' '.repeat(gap))
      .trimEnd();
  const lineOf = (row: Row): string =>
    line(shown.map(({ text }, i) => shorten(printable(text(row)), widths[i] ?? 0)));
  // Headings stand outside the grid: a long one must not widen a column.
  return [
    line(shown.map(({ title }) => title)),
    ...sections
      .filter((section) => section.rows.length > 0)
      .flatMap(({ heading, rows: own }) => [...(heading === undefined ? [] : [heading]), ...own.map(lineOf)]),
  ];
}

/** By hand: a table library takes some hundred times as long, and there may be 150,000 rows. */
function pad(text: string, width: number, align: Column<unknown>['align']): string {
  return align === 'left' ? text.padEnd(width) : text.padStart(width);
}

function fitColumns<Row>(all: readonly Column<Row>[], rows: readonly Row[], columns: number | undefined) {
  const natural = new Map(
    all.map((column) => [
      column,
      rows.reduce((width, row) => Math.max(width, printable(column.text(row)).length), column.title.length),
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
