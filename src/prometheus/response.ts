/** `data.stats.samples` of an answer to `stats=all`. */
export interface QueryStats {
  readonly totalQueryableSamples: number;
  readonly peakSamples: number;
}
