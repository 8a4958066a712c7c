import { kendallTau } from './kendall-tau.ts';

/** A pod whose memory grows until something restarts it. */
export interface LeakTrend {
  /** Typical growth within the stretches that grow. */
  readonly growthBytesPerHour: number;
  /** Times it fell back to start again. */
  readonly resets: number;
}

/** An hour-to-hour fall by this share of the pod's peak is a new start, not a quieter hour. */
const RESET_RATIO = 0.33;
/** A stretch grows where it rises by this share of the pod's peak… */
const RISE_RATIO = 0.25;
/** …and nearly always: Kendall's tau of a random walk or of a daily curve is far below. */
const MINIMUM_TAU = 0.8;
/** Share of the hours that must lie in growing stretches. */
const GROWING_RATIO = 0.8;
const MINIMUM_HOURS = 24;
/** Without a new start in between, a rise must be longer than any day's. */
const MINIMUM_HOURS_UNBROKEN = 48;

interface Stretch {
  readonly hours: readonly number[];
}

/**
 * Finds a leak in the hourly peaks of one pod: growth that goes on from each start to the next.
 * @param hours peak of each hour, oldest first; NaN where an hour has no data.
 * @returns undefined where there is none, or too little is known to tell.
 */
export function findLeak(hours: readonly number[]): LeakTrend | undefined {
  const known = hours.filter((bytes) => !Number.isNaN(bytes));
  if (known.length < MINIMUM_HOURS) return undefined;
  const peakBytes = known.reduce((a, b) => Math.max(a, b));
  const stretches = splitAtResets(known, peakBytes * RESET_RATIO);
  // The first and the last stretch are cut off by the window; alone they say less.
  if (stretches.length < 3 && known.length < MINIMUM_HOURS_UNBROKEN) return undefined;
  const growing = stretches.filter((stretch) => isGrowing(stretch, peakBytes * RISE_RATIO));
  const growingHours = growing.reduce((sum, stretch) => sum + stretch.hours.length, 0);
  if (growingHours < known.length * GROWING_RATIO) return undefined;
  const rises = growing.map(riseOf);
  const steps = growingHours - growing.length;
  return {
    growthBytesPerHour: rises.reduce((sum, rise) => sum + rise, 0) / steps,
    resets: stretches.length - 1,
  };
}

function splitAtResets(hours: readonly number[], fallBytes: number): Stretch[] {
  const stretches: number[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const bytes of hours) {
    if (stretches.length === 0 || before - bytes > fallBytes) stretches.push([]);
    stretches.at(-1)?.push(bytes);
    before = bytes;
  }
  return stretches.map((own) => ({ hours: own }));
}

function isGrowing(stretch: Stretch, riseBytes: number): boolean {
  return stretch.hours.length > 2 && riseOf(stretch) >= riseBytes && kendallTau(stretch.hours) >= MINIMUM_TAU;
}

function riseOf({ hours }: Stretch): number {
  return (hours.at(-1) ?? 0) - (hours[0] ?? 0);
}
