import type { PodPeaks } from '../../outputs/api/pod-peaks.ts';
import { bytesText } from '../parts/amount.tsx';

export interface PeakBar {
  readonly endsAt: string;
  /** null: a gap. */
  readonly peakBytes: number | null;
  readonly words: string;
}

export interface PeakScale {
  /** One per hour, oldest first. */
  readonly bars: readonly PeakBar[];
  /** Where days begin in the reader's own time zone, as a share of the width. */
  readonly days: readonly { readonly name: string; readonly at: number }[];
  readonly topBytes: number;
  readonly requestBytes: number | undefined;
  readonly words: string;
}

const hourMs = 3_600_000;
const mebibyte = 2 ** 20;

/** What a chart of the peaks shows; undefined where no hour has data. */
export function chartOf({ hours, requestBytes }: PodPeaks): PeakScale | undefined {
  const known = hours.flatMap(({ endsAt, peakBytes }) => (peakBytes === null ? [] : [{ endsAt, peakBytes }]));
  if (known.length === 0) return undefined;
  const highest = known.reduce((best, hour) => (hour.peakBytes > best.peakBytes ? hour : best));
  const above = requestBytes === null ? undefined : known.filter(({ peakBytes }) => peakBytes > requestBytes);
  return {
    bars: hours.map((hour) => ({
      ...hour,
      words: `${hourName(hour.endsAt)}: ${hour.peakBytes === null ? 'no data' : bytesText(hour.peakBytes)}`,
    })),
    days: hours.flatMap(({ endsAt }, index) => {
      const start = new Date(Date.parse(endsAt) - hourMs);
      // A name at the very end would not fit.
      if (start.getHours() !== 0 || index > 0.96 * hours.length) return [];
      const name = start.toLocaleDateString(undefined, { weekday: 'short' });
      return [{ name, at: index / hours.length }];
    }),
    topBytes: roundTop(Math.max(highest.peakBytes, requestBytes ?? 0)),
    requestBytes: requestBytes ?? undefined,
    words: [
      `Highest: ${bytesText(highest.peakBytes)} in the hour from ${hourName(highest.endsAt)}.`,
      `${known.length} of ${hours.length} hours have data`,
      above === undefined
        ? '.'
        : `, ${above.length === 0 ? 'none' : above.length} of them above the request of ${bytesText(requestBytes ?? 0)}.`,
    ]
      .join(' ')
      .replace(/ (?=[.,])/g, ''),
  };
}

/** A round number a little above the highest bar: two halves of whole 2^n mebibytes. */
function roundTop(bytes: number): number {
  const wanted = bytes * 1.08;
  let unit = 2 * mebibyte;
  while (wanted / unit > 10) unit *= 2;
  return Math.ceil(wanted / unit) * unit;
}

function hourName(endsAt: string): string {
  return new Date(Date.parse(endsAt) - hourMs).toLocaleString(undefined, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}
