import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Sort } from './sorting.ts';
import { narrow, useMedia } from './use-media.ts';
import { useVisibleRows } from './use-visible-rows.ts';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  readonly sortValue?: (row: Row) => number | string | null | undefined;
  /** The direction of the first click. */
  readonly isDescendingFirst?: boolean;
}

export interface TableProps<Row> {
  readonly label: string;
  /** Names the grid of the columns in the styles. */
  readonly kind: string;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  /** undefined = not loaded yet. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowHeightPx: { readonly wide: number; readonly narrow: number };
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly onShow?: (first: number, end: number) => void;
  readonly rowTone?: (row: Row) => string;
}

/** A table of which only the rows in view are in the document. On narrow screens each row is a card. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, kind, columns, count, rowAt, onShow } = props;
  const body = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia(narrow);
  const rowHeightPx = isNarrow ? props.rowHeightPx.narrow : props.rowHeightPx.wide;
  const { first, end } = useVisibleRows(body, { count, rowHeightPx });
  useEffect(() => onShow?.(first, end), [first, end, onShow]);
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a real table cannot leave out the rows that are not in view
    <div class={`table table--${kind}`} role="table" aria-label={label} aria-rowcount={count + 1}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div class="table__head" role="rowgroup">
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: rows of a plain table take no focus; what is in them does */}
        <div class="table__row" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div ref={body} class="table__body" role="rowgroup" style={{ height: `${count * rowHeightPx}px` }}>
        {indexes.map((index) => (
          <BodyRow key={index} {...props} index={index} row={rowAt(index)} rowHeightPx={rowHeightPx} />
        ))}
      </div>
    </div>
  );
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}) {
  const { id, label, isNumber, isDescendingFirst = false } = column;
  const isSorted = sort?.column === id;
  const direction = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
  const next = { column: id, isDescending: isSorted ? !sort.isDescending : isDescendingFirst };
  const isSortable = onSort !== undefined && column.sortValue !== undefined;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it takes the focus
    // biome-ignore lint/a11y/useSemanticElements: part of a table without table elements
    <div
      class={`cell cell--${id}${isNumber === true ? ' cell--number' : ''}`}
      role="columnheader"
      {...(isSortable ? { 'aria-sort': direction } : {})}
    >
      {isSortable ? (
        <button type="button" class="sort" onClick={() => onSort(next)}>
          {label}
          <span class={`sort__mark sort__mark--${direction}`} aria-hidden="true" />
        </button>
      ) : (
        label
      )}
    </div>
  );
}

function BodyRow<Row>({
  columns,
  row,
  index,
  rowHeightPx,
  rowTone,
}: Pick<TableProps<Row>, 'columns' | 'rowTone'> & {
  readonly row: Row | undefined;
  readonly index: number;
  readonly rowHeightPx: number;
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: rows of a plain table take no focus; what is in them does
    // biome-ignore lint/a11y/useSemanticElements: part of a table without table elements
    <div
      class={`table__row ${row === undefined ? 'table__row--waiting' : (rowTone?.(row) ?? '')}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ top: `${index * rowHeightPx}px`, height: `${rowHeightPx}px` }}
    >
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: part of a table without table elements
        <div
          key={column.id}
          class={`cell cell--${column.id}${column.isNumber === true ? ' cell--number' : ''}`}
          role="cell"
        >
          <span class="cell__label" aria-hidden="true">
            {column.label}
          </span>
          {row === undefined ? <span class="waiting" /> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}
