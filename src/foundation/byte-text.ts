/** Bytes for people, in the binary suffixes Kubernetes uses. */

const SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
/** Below this many units the next smaller suffix tells more. */
const FEWEST_UNITS = 10;

/**
 * `1408Mi`, `1Gi`, `98.4Gi`: exact where a suffix fits without a fraction, else three digits or more, so that the
 * error is below 1 %. Meant to be read; for text to be parsed again use `formatQuantity`.
 */
export function formatBytes(bytes: number): string {
  const size = Math.abs(bytes);
  const power = exactPower(size) ?? roundedPower(size);
  const units = size / 1024 ** power;
  const text = Number.isInteger(units) || units >= 100 ? Math.round(units).toString() : units.toFixed(1);
  return `${bytes < 0 ? '-' : ''}${text}${SUFFIXES[power]}`;
}

/** Sums need no exact mebibytes: `59.2Gi` where `formatBytes` says `60621Mi`. */
export function formatTotal(bytes: number): string {
  const gibibytes = bytes / 1024 ** 3;
  return Math.abs(gibibytes) >= FEWEST_UNITS ? `${gibibytes.toFixed(1)}Gi` : formatBytes(bytes);
}

const MEBIBYTE = 2 ** 20;

/**
 * Always in Mi, so that the numbers of a column compare at a glance: `1408Mi`, `36.3Mi`, `0.25Mi`; 0 has no unit.
 * Three digits or more from 10Mi on, two below.
 */
export function formatMebibytes(bytes: number): string {
  const units = bytes / MEBIBYTE;
  const size = Math.abs(units);
  if (size === 0) return '0';
  if (Number.isInteger(units) || size >= 100) return `${Math.round(units)}Mi`;
  return `${size >= 10 ? units.toFixed(1) : Number(units.toPrecision(2))}Mi`;
}

/** The same as a difference, with its sign. */
export function formatMebibyteDifference(bytes: number): string {
  return `${bytes > 0 ? '+' : ''}${formatMebibytes(bytes)}`;
}

/** The largest suffix that divides the size; only from Mi on, for odd kibibytes are no easier to read. */
function exactPower(size: number): number | undefined {
  for (let power = SUFFIXES.length - 1; power >= 2; power--) {
    if (size !== 0 && size % 1024 ** power === 0) return power;
  }
  return undefined;
}

function roundedPower(size: number): number {
  let power = 0;
  while (power < SUFFIXES.length - 1 && size / 1024 ** (power + 1) >= FEWEST_UNITS) power++;
  return power;
}
