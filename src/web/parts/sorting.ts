export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** `headroom`, `-pods`. */
export function parseSort(text: string | null, fallback: Sort): Sort {
  if (text === null || text === '') return fallback;
  return { column: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

export function formatSort({ column, isDescending }: Sort): string {
  return isDescending ? `-${column}` : column;
}

type SortValue = number | string | null | undefined;

/** A sorted copy; rows whose value is not known come last, whichever the direction. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortValue: (row: Row) => SortValue,
  isDescending: boolean,
): readonly Row[] {
  const direction = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortValue(row) ?? undefined }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined) {
        return Number(a.value === undefined) - Number(b.value === undefined);
      }
      return direction * compare(a.value, b.value);
    })
    .map(({ row }) => row);
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}
