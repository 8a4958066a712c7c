/** The cases of thresholds.json. */
import { z } from 'zod';
import { caseHead, nullable, readOracleCases, wholeNumber } from './oracle-cases.ts';

const exactNumber = z.union([z.int(), z.string().regex(/^-?[0-9.]+$/)]).transform(String);
export const quantityResult = z.strictObject({
  canonical: z.string(),
  exact: exactNumber,
  valueRoundedUp: wholeNumber,
});
const percentage = z.union([z.number(), z.literal('NaN').transform(() => Number.NaN)]);
export const valueResult = z.union([
  z.strictObject({ quantity: quantityResult }),
  z.strictObject({ percentage }),
]);
export const thresholdResult = z.strictObject({
  signal: z.string(),
  operator: z.enum(['LessThan', '']),
  value: valueResult,
  gracePeriodSeconds: z.number(),
  minReclaim: nullable(valueResult),
  isHard: z.boolean(),
});
const statements = z.record(z.string(), z.string());
const head = { ...caseHead, error: nullable(z.string()) };
const oneValue = z.strictObject({ value: z.string() });

export const thresholdCases = readOracleCases(
  'thresholds',
  z.discriminatedUnion('function', [
    z.strictObject({
      ...head,
      function: z.literal('ParseThresholdConfig'),
      input: z.strictObject({
        enforceNodeAllocatable: z.array(z.string()),
        evictionHard: statements,
        evictionSoft: statements,
        evictionSoftGracePeriod: statements,
        evictionMinimumReclaim: statements,
      }),
      thresholds: z.array(thresholdResult).optional(),
    }),
    z.strictObject({
      ...head,
      function: z.literal('parseThresholdStatement'),
      input: z.strictObject({ signal: z.string(), value: z.string() }),
      ignored: z.literal(true).optional(),
      thresholds: z.array(thresholdResult).optional(),
      thresholdBytesAt: z
        .array(z.strictObject({ capacityBytes: z.int(), thresholdBytes: exactNumber }))
        .optional(),
    }),
    z.strictObject({
      ...head,
      function: z.literal('parsePercentage'),
      input: oneValue,
      result: z.strictObject({ percentage }).optional(),
    }),
    z.strictObject({
      ...head,
      function: z.literal('ParseQuantity'),
      input: oneValue,
      result: quantityResult.optional(),
    }),
    z.strictObject({
      ...head,
      function: z.literal('thresholdsMet'),
      input: z.strictObject({
        signal: z.literal('memory.available'),
        value: z.string(),
        minimumReclaim: nullable(z.string()),
        enforceMinReclaim: z.boolean(),
        capacityBytes: z.int(),
        availableBytes: z.int(),
        observed: z.boolean(),
      }),
      result: z.strictObject({ met: z.boolean() }),
    }),
  ]),
);
export type ThresholdCase = (typeof thresholdCases)[number];

type CaseOf<F extends ThresholdCase['function']> = Extract<ThresholdCase, { function: F }>;

/** The cases of one function. */
export function thresholdCasesOf<F extends ThresholdCase['function']>(name: F): readonly CaseOf<F>[] {
  return thresholdCases.filter((one): one is CaseOf<F> => one.function === name);
}

export function thresholdCaseName({ id, function: name, note, input }: ThresholdCase): string {
  return `case ${id}, ${name}: ${note ?? JSON.stringify(input)}`;
}

/** Whole units of a decimal number, for nothing is available in fractions: `0.5` is 1. */
export function roundedUp(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole) + (/[1-9]/.test(fraction) ? 1n : 0n);
}
