/** Values that Grafana puts in the place of `$name`. */
export type Choices = Readonly<Record<string, string>>;

export interface QueryTime {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly stepSeconds: number;
  readonly scrapeIntervalSeconds: number;
}

/** Replaces variables as Grafana's Prometheus data source does, its own ones for time included. */
export function interpolate(expr: string, choices: Choices, time: QueryTime): string {
  const rateSeconds = Math.max(time.stepSeconds + time.scrapeIntervalSeconds, 4 * time.scrapeIntervalSeconds);
  const values: Choices = {
    ...choices,
    __range: `${time.endSeconds - time.startSeconds}s`,
    __rate_interval: `${rateSeconds}s`,
    __interval: `${time.stepSeconds}s`,
  };
  return expr.replace(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (whole, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? '';
      // A "$1" belongs to label_replace.
      if (/^\d+$/.test(name)) return whole;
      const value = values[name];
      if (value === undefined) throw new Error(`The expression uses an unknown variable ${whole}: ${expr}`);
      return value;
    },
  );
}
