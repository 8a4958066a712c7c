import { EvictrankError } from './errors.ts';

/** The message is Go's own, so that it matches what the kubelet would print. */
export class GoDurationError extends EvictrankError {
  override readonly name = 'GoDurationError';

  constructor(message: string) {
    super(message, { remedy: 'write it like 30s, 1m30s or 500ms' });
  }
}

const NANOS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3, // U+00B5, the micro sign
  μs: 1e3, // U+03BC, the Greek letter
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const NANOS_PER_MS = 1e6;
/** Durations are int64 nanoseconds, some 292 years. */
const LONGEST_NANOS = 2n ** 63n - 1n;

/** One number with its unit, at the place where the last one ended. */
const COMPONENT = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;

/** Reads `1m30s` as Go's `time.ParseDuration` does. Answers milliseconds, with a fraction. Throws GoDurationError. */
export function parseGoDuration(text: string): number {
  const isNegative = text.startsWith('-');
  const components = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (components === '0') return 0;
  if (components === '') throw invalid(text);
  let nanos = 0n;
  COMPONENT.lastIndex = 0;
  while (COMPONENT.lastIndex < components.length) {
    nanos += componentNanos(COMPONENT.exec(components), text);
    if (nanos > LONGEST_NANOS) throw invalid(text);
  }
  const ms = Number(nanos) / NANOS_PER_MS;
  return isNegative ? -ms : ms;
}

function componentNanos(match: RegExpExecArray | null, text: string): bigint {
  const [, whole = '', fraction = '', unit = ''] = match ?? [];
  if (whole === '' && fraction === '') throw invalid(text);
  if (unit === '') throw new GoDurationError(`time: missing unit in duration ${JSON.stringify(text)}`);
  const unitNanos = Object.hasOwn(NANOS_PER_UNIT, unit) ? NANOS_PER_UNIT[unit] : undefined;
  if (unitNanos === undefined) {
    throw new GoDurationError(
      `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`,
    );
  }
  return (
    BigInt(whole || '0') * BigInt(unitNanos) + BigInt(Math.trunc(Number(`0.${fraction || '0'}`) * unitNanos))
  );
}

function invalid(text: string): GoDurationError {
  return new GoDurationError(`time: invalid duration ${JSON.stringify(text)}`);
}
