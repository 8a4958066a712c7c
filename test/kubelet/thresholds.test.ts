import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
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
import {
  type quantityResult,
  type ThresholdCase,
  thresholdCaseName,
  thresholdCases,
  type thresholdResult,
  type valueResult,
} from '../oracle-thresholds.ts';

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

function run(one: ThresholdCase): void {
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

function isMet(input: Extract<ThresholdCase, { function: 'thresholdsMet' }>['input']): boolean {
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
  for (const one of thresholdCases) {
    test(thresholdCaseName(one), () => {
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
