/** Prometheus' duration units (model/time.go of prometheus/common): a day is always 24 h, a week 7 d, a year 365 d. */
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};
const durationPattern = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const units = ['y', 'w', 'd', 'h', 'm', 's', 'ms'] as const;

/** Milliseconds of a duration as Prometheus writes it (`30s`, `1h30m`, `7d`); undefined where the text is none. */
export function parseDurationMs(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (match === null || text === '') return undefined;
  return units.reduce((sum, unit, i) => sum + Number(match[i + 1] ?? 0) * (unitMs[unit] ?? 0), 0);
}

/** The shortest way Prometheus itself would write a whole number of milliseconds: `90m` becomes `1h30m`, 0 is `0s`. */
export function formatDuration(ms: number): string {
  let rest = Math.round(ms);
  let text = '';
  for (const unit of units) {
    const size = unitMs[unit] ?? 1;
    // Weeks and years only where nothing is left over, so that ten days read 10d and not 1w3d.
    if ((unit === 'y' || unit === 'w') && rest % size !== 0) continue;
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === '' ? '0s' : text;
}
