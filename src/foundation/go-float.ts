import { EvictrankError } from './errors.ts';

/** The message is Go's own, so that it matches what the kubelet would print. */
export class GoFloatError extends EvictrankError {
  override readonly name = 'GoFloatError';
}

const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const NOT_A_NUMBER = /^nan$/i;

/**
 * Reads a number as Go's `strconv.ParseFloat(text, 32)` does, hexadecimal floats, `Inf` and `NaN` included
 * (underscores between hexadecimal digits are not). Throws GoFloatError.
 */
export function parseGoFloat32(text: string): number {
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  if (NOT_A_NUMBER.test(text)) return Number.NaN;
  const value = Math.fround(parseDigits(text));
  if (!Number.isFinite(value)) throw parseError(text, 'value out of range');
  return value;
}

function parseDigits(text: string): number {
  if (DECIMAL.test(text)) return Number(text);
  const [, sign, whole = '', fraction = '', exponent = ''] = HEXADECIMAL.exec(text) ?? [];
  if (`${whole}${fraction}` === '') throw parseError(text, 'invalid syntax');
  const mantissa = Number.parseInt(`${whole}${fraction}`, 16);
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

function parseError(text: string, reason: string): GoFloatError {
  return new GoFloatError(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: ${reason}`);
}
