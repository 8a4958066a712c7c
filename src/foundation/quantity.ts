/**
 * Kubernetes quantities, exact: 1Gi, 500M, 1e3, 128974848, 0.5, 100m
 * (k8s.io/apimachinery/pkg/api/resource/quantity.go and suffix.go).
 */
import { EvictrankError } from './errors.ts';

/** Which suffixes a quantity was written with, and is written back with. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

export interface Quantity {
  /** The value in billionths, the smallest step Kubernetes knows, so that every quantity is whole. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** The text it was read from, where Kubernetes takes that for canonical as it stands. */
  readonly text?: string | undefined;
}

/** The message is Kubernetes' own, so that it can be searched for. */
export class QuantityError extends EvictrankError {
  override readonly name = 'QuantityError';
  readonly input: string;

  constructor(message: string, input: string) {
    super(message, { remedy: 'write it like 512Mi, 1.5Gi, 500M or 128974848' });
    this.input = input;
  }
}

const NANO_DIGITS = 9;
const NANOS = 10n ** BigInt(NANO_DIGITS);
/** A quantity with a binary suffix is capped here (`maxAllowed` in amount.go). */
const MAX_BINARY_NANOS = (2n ** 63n - 1n) * NANOS;
/** Beyond this an exponent can only be a mistake; without a bound, `1e999999999` would fill the memory. */
const MAX_EXPONENT = 1000n;

const BINARY_EXPONENTS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const LARGEST_DECIMAL_EXPONENT = 18;

const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX = "unable to parse quantity's suffix";

/** Kubernetes' scanner accepts less than the expression in its message (one dot) and more (no digits at all).
 * Written so that no two parts can take the same digits: texts come from users, and trying all ways to share out a long
 * one would take seconds. */
const QUANTITY = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

interface Parts {
  readonly isNegative: boolean;
  /** Without leading zeros. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: Suffix;
}

interface Suffix {
  readonly format: QuantityFormat;
  readonly exponent: number;
}

/** Reads a quantity in any notation Kubernetes accepts. Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  const parts = splitQuantity(text);
  const { format, exponent } = parts.suffix;
  const digits = BigInt(`0${parts.whole}${parts.fraction}`);
  const [base, scale] =
    format === 'BinarySI'
      ? [digits << BigInt(exponent), NANO_DIGITS - parts.fraction.length]
      : [digits, NANO_DIGITS + exponent - parts.fraction.length];
  const nanos = scale >= 0 ? base * 10n ** BigInt(scale) : divideUp(base, 10n ** BigInt(-scale));
  const capped = format === 'BinarySI' && nanos > MAX_BINARY_NANOS ? MAX_BINARY_NANOS : nanos;
  return {
    nanos: parts.isNegative ? -capped : capped,
    format,
    ...(isCanonicalSpelling(parts) ? { text } : {}),
  };
}

function splitQuantity(text: string): Parts {
  const match = text === '' ? null : QUANTITY.exec(text);
  if (match === null) throw new QuantityError(WRONG_FORMAT, text);
  const [, sign, whole = '', fraction = '', suffixText = ''] = match;
  const suffix = parseSuffix(suffixText);
  if (suffix === undefined) throw new QuantityError(WRONG_SUFFIX, text);
  return { isNegative: sign === '-', whole: whole.replace(/^0+/, '') || '0', fraction, suffix };
}

function parseSuffix(text: string): Suffix | undefined {
  const decimal = DECIMAL_EXPONENTS[text];
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal };
  const binary = BINARY_EXPONENTS[text];
  if (binary !== undefined) return { format: 'BinarySI', exponent: binary };
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(text)?.[1];
  if (exponent === undefined) return undefined;
  const value = BigInt(exponent.replace('+', ''));
  if (value > MAX_EXPONENT || value < -MAX_EXPONENT) return undefined;
  return { format: 'DecimalExponent', exponent: Number(value) };
}

/**
 * Kubernetes keeps the text of most short quantities instead of building it anew, and so prints `+1`, `1.Gi` and
 * `1E3` as they came. These are the conditions of the fast path in `ParseQuantity`.
 */
function isCanonicalSpelling({ whole, fraction, suffix: { format, exponent } }: Parts): boolean {
  const digits = whole + fraction;
  if (format === 'BinarySI') {
    const spareDigits = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1;
    return fraction === '' && spareDigits >= 0 && BigInt(digits) % 8n !== 0n;
  }
  const scale = exponent - fraction.length;
  return (
    digits.length <= 18 &&
    scale >= -NANO_DIGITS &&
    scale % 3 === 0 &&
    !digits.endsWith('000') &&
    !digits.startsWith('0')
  );
}

/** A quantity of bytes, as the kubelet makes one from its statistics. A number must be finite. */
export function quantityOfBytes(bytes: number | bigint): Quantity {
  return { nanos: typeof bytes === 'bigint' ? bytes * NANOS : nanosOf(bytes), format: 'BinarySI' };
}

function nanosOf(units: number): bigint {
  const whole = Math.trunc(units);
  return BigInt(whole) * NANOS + BigInt(Math.round((units - whole) * Number(NANOS)));
}

/** The sum, in the notation of the first. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Negative, 0 or positive as `a` is below, at or above `b`. Exact, whatever the notations. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos < b.nanos) return -1;
  return a.nanos > b.nanos ? 1 : 0;
}

/** In whole units, rounded away from zero (`Quantity.Value`, without its wrapping beyond int64). */
export function wholeValue({ nanos }: Quantity): bigint {
  return nanos < 0n ? -divideUp(-nanos, NANOS) : divideUp(nanos, NANOS);
}

/** In units, with its fraction: bytes for memory, cores for cpu. Exact for whole values up to 2^53. */
export function quantityToNumber({ nanos }: Quantity): number {
  return Number(nanos / NANOS) + Number(nanos % NANOS) / Number(NANOS);
}

/**
 * The canonical text (`Quantity.String`): no fraction, the largest suffix that needs none. A binary quantity below
 * 1024 or with a fraction is written in decimal.
 */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format, text } = quantity;
  if (text !== undefined) return text;
  if (nanos === 0n) return '0';
  const isWhole = nanos % NANOS === 0n;
  const units = nanos / NANOS;
  if (format === 'BinarySI' && isWhole && (units >= 1024n || units <= -1024n)) return formatBinary(units);
  return formatDecimal(nanos, format === 'DecimalExponent');
}

function formatBinary(units: bigint): string {
  let mantissa = units;
  let suffix = '';
  for (const next of Object.keys(BINARY_EXPONENTS)) {
    if (mantissa % 1024n !== 0n) break;
    mantissa /= 1024n;
    suffix = next;
  }
  return `${mantissa}${suffix}`;
}

/**
 * One deviation: decimal suffixes end at E, and upstream prints no suffix at all where it would need a larger one;
 * here the mantissa grows instead, so that what is printed is the value.
 */
function formatDecimal(nanos: bigint, hasExponent: boolean): string {
  let mantissa = nanos;
  let exponent = -NANO_DIGITS;
  while (mantissa % 1000n === 0n && (hasExponent || exponent < LARGEST_DECIMAL_EXPONENT)) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (hasExponent) return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  const suffix = Object.entries(DECIMAL_EXPONENTS).find(([, value]) => value === exponent)?.[0] ?? '';
  return `${mantissa}${suffix}`;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
