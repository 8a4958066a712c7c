declare module 'snappyjs' {
  /** Block format, as remote write wants it. */
  export function compress(data: Uint8Array): Uint8Array<ArrayBuffer>;
  export function uncompress(data: Uint8Array, maxLength?: number): Uint8Array<ArrayBuffer>;
}
