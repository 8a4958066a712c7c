import { hashOf, randomStep } from './random.ts';
import { dayMs, hourMs, minuteMs, roundToPages } from './units.ts';

/** Bytes in use as a pure function of time. */
export type Curve = (timeMs: number) => number;

/** The same at all times, to the byte. */
export function constant(bytes: number): Curve {
  return () => bytes;
}

/** Wanders between two levels in steps of some minutes. */
export function wandering(lowBytes: number, highBytes: number, key: string): Curve {
  const noise = smoothNoise(key);
  return (timeMs) => roundToPages(lowBytes + (highBytes - lowBytes) * noise(timeMs));
}

/** Low at night, high by day, never above `highBytes`. `peakHour` is in UTC. */
export function daily(lowBytes: number, highBytes: number, peakHour: number, key: string): Curve {
  const noise = smoothNoise(key);
  return (timeMs) => {
    const ofDay = (timeMs % dayMs) / dayMs - peakHour / 24;
    const wave = 0.5 + 0.5 * Math.cos(2 * Math.PI * ofDay);
    return roundToPages(lowBytes + (highBytes - lowBytes) * (0.92 * wave + 0.08 * noise(timeMs)));
  };
}

/** Exactly `bytes` in the last hours before `nowMs` and ever after; up to 6 % less before, so that a chart is not a line. */
export function settled(bytes: number, nowMs: number, key: string): Curve {
  const before = wandering(bytes * 0.94, bytes, key);
  return (timeMs) => (timeMs >= nowMs - 3 * hourMs ? bytes : before(timeMs));
}

export interface Leak {
  readonly fromBytes: number;
  /** Reached at the end of each period, where the container is killed and starts anew. */
  readonly toBytes: number;
  readonly periodMs: number;
  /** A time at which it starts anew. */
  readonly restartMs: number;
}

/** Grows evenly until it is killed, then begins again. */
export function leaking(leak: Leak): Curve {
  return (timeMs) => {
    const periods = (timeMs - leak.restartMs) / leak.periodMs;
    return roundToPages(leak.fromBytes + (leak.toBytes - leak.fromBytes) * (periods - Math.floor(periods)));
  };
}

/** The times within [fromMs, toMs) at which a leak starts anew. */
export function leakRestarts(leak: Leak, fromMs: number, toMs: number): readonly number[] {
  const first = Math.ceil((fromMs - leak.restartMs) / leak.periodMs);
  const times: number[] = [];
  for (let index = first; leak.restartMs + index * leak.periodMs < toMs; index += 1) {
    times.push(leak.restartMs + index * leak.periodMs);
  }
  return times;
}

/** Low, with a spike of `spikeMinutes` every `everyHours`, one of them `lastSpikeMs`. */
export function spiky(options: {
  lowBytes: number;
  spikeBytes: number;
  everyHours: number;
  spikeMinutes: number;
  lastSpikeMs: number;
  key: string;
}): Curve {
  const low = wandering(options.lowBytes * 0.9, options.lowBytes, options.key);
  const everyMs = options.everyHours * hourMs;
  return (timeMs) => {
    const since = (((timeMs - options.lastSpikeMs) % everyMs) + everyMs) % everyMs;
    return since < options.spikeMinutes * minuteMs ? roundToPages(options.spikeBytes) : low(timeMs);
  };
}

/** From 0 to 1, the same for the same key and time, without jumps. */
function smoothNoise(key: string): Curve {
  const seed = hashOf(key);
  const stepMs = 10 * minuteMs;
  return (timeMs) => {
    const step = Math.floor(timeMs / stepMs);
    const within = timeMs / stepMs - step;
    const weight = within * within * (3 - 2 * within);
    return randomStep(seed, step) * (1 - weight) + randomStep(seed, step + 1) * weight;
  };
}
