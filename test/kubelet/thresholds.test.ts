import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  wholeValue,
} from '../../src/foundation/quantity.ts';
import { compareText } from '../../src/foundation/text-order.ts';
import { wrapToInt64 } from '../../src/kubelet/amount.ts';
import {
  isHardThreshold,
  type SignalObservations,
  type Threshold,
  type ThresholdValue,
  thresholdQuantity,
  thresholdsMet,
} from '../../src/kubelet/threshold.ts';
import {
  parseMinimumReclaim,
  parsePercentage,
  parseThresholdConfig,
  parseThresholdStatement,
} from '../../src/kubelet/threshold-config.ts';
import { caseHead, nullable, readOracleCases, wholeNumber } from '../oracle-cases.ts';

const exactNumber = z.union([z.int(), z.string().regex(/^-?[0-9.]+$/)]).transform(String);
const quantityResult = z.strictObject({
  canonical: z.string(),
  exact: exactNumber,
  valueRoundedUp: wholeNumber,
});
const percentage = z.union([z.number(), z.literal('NaN').transform(() => Number.NaN)]);
const valueResult = z.union([z.strictObject({ quantity: quantityResult }), z.strictObject({ percentage })]);
const thresholdResult = z.strictObject({
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

const cases = readOracleCases(
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
type Case = (typeof cases)[number];

function expectQuantity(actual: Quantity, expected: z.output<typeof quantityResult>): void {
  expect(formatQuantity(actual)).toBe(expected.canonical);
  expect(compareQuantities(actual, parseQuantity(expected.exact))).toBe(0);
  expect(wrapToInt64(wholeValue(actual))).toBe(BigInt(expected.valueRoundedUp));
}

function expectValue(actual: ThresholdValue | undefined, expected: z.output<typeof valueResult> | undefined) {
  if (expected === undefined || actual === undefined) {
    expect(actual).toBe(expected);
  } else if ('percentage' in expected) {
    expect(actual).toEqual(expected);
  } else {
    if (!('quantity' in actual)) throw new Error('not a quantity');
    expectQuantity(actual.quantity, expected.quantity);
  }
}

function expectThresholds(
  actual: readonly Threshold[],
  expected: readonly z.output<typeof thresholdResult>[] = [],
): void {
  const ordered = actual.toSorted(
    (a, b) => compareText(a.signal, b.signal) || a.gracePeriodMs - b.gracePeriodMs,
  );
  expect(ordered.map(({ signal }) => signal)).toEqual(expected.map(({ signal }) => signal));
  for (const [index, threshold] of ordered.entries()) {
    const want = expected[index];
    expect(threshold.operator).toBe(want?.operator);
    expect(threshold.gracePeriodMs / 1000).toBe(want?.gracePeriodSeconds);
    expect(isHardThreshold(threshold)).toBe(want?.isHard);
    expectValue(threshold.value, want?.value);
    expectValue(threshold.minimumReclaim, want?.minReclaim);
  }
}

function run(one: Case): void {
  switch (one.function) {
    case 'ParseThresholdConfig':
      expectThresholds(parseThresholdConfig(one.input), one.thresholds);
      return;
    case 'parseThresholdStatement': {
      const threshold = parseThresholdStatement(one.input.signal, one.input.value);
      expect(threshold === undefined).toBe(one.ignored === true);
      expectThresholds(threshold === undefined ? [] : [threshold], one.thresholds);
      for (const { capacityBytes, thresholdBytes } of one.thresholdBytesAt ?? []) {
        const value = threshold === undefined ? undefined : thresholdQuantity(threshold.value, capacityBytes);
        expect(value?.nanos).toBe(parseQuantity(thresholdBytes).nanos);
      }
      return;
    }
    case 'parsePercentage':
      expect(parsePercentage(one.input.value)).toBe(one.result?.percentage);
      return;
    case 'ParseQuantity': {
      const quantity = parseQuantity(one.input.value);
      if (one.result === undefined) throw new Error('a case without a result');
      expectQuantity(quantity, one.result);
      return;
    }
    case 'thresholdsMet':
      expect(isMet(one.input)).toBe(one.result.met);
  }
}

function isMet(input: Extract<Case, { function: 'thresholdsMet' }>['input']): boolean {
  const { signal, minimumReclaim, observed } = input;
  const threshold = parseThresholdStatement(signal, input.value);
  if (threshold === undefined) throw new Error('an ignored threshold');
  const observations: SignalObservations = observed
    ? new Map([[signal, { available: input.availableBytes, capacity: input.capacityBytes }]])
    : new Map();
  const full = {
    ...threshold,
    minimumReclaim: minimumReclaim === undefined ? undefined : parseMinimumReclaim(signal, minimumReclaim),
  };
  return thresholdsMet([full], observations, input.enforceMinReclaim).length > 0;
}

describe('the kubelet reads and meets thresholds', () => {
  for (const one of cases) {
    test(`case ${one.id}, ${one.function}: ${one.note ?? JSON.stringify(one.input)}`, () => {
      if (one.error === undefined) run(one);
      else expect(() => run(one)).toThrow(expect.objectContaining({ message: one.error }));
    });
  }
});

describe('later versions', () => {
  test('containerfs signals are known', () => {
    expect(parseThresholdStatement('containerfs.available', '10%')?.operator).toBe('LessThan');
  });
});
