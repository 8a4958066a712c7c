/** Orders text by code unit: the same on every machine, whatever its locale. Negative, 0 or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
