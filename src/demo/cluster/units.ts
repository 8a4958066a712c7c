export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

export const mebibyte = 1024 * 1024;

/** Mebibytes in bytes. */
export function mi(mebibytes: number): number {
  return mebibytes * mebibyte;
}

/** Gibibytes in bytes. */
export function gi(gibibytes: number): number {
  return gibibytes * 1024 * mebibyte;
}

/** The kernel accounts memory in pages, so every working set is a multiple of one. */
const pageBytes = 4096;

export function roundToPages(bytes: number): number {
  return Math.round(bytes / pageBytes) * pageBytes;
}
