/**
 * For JSON.stringify: what is not known is `undefined` inside and null outside, so that a reader sees that it was
 * looked for. Keys that are not there at all stay away.
 */
export function nullForUnknown(_key: string, value: unknown): unknown {
  return value === undefined ? null : value;
}
