import { parse, parseNumberAndBigInt } from 'lossless-json';
import { afterAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ThresholdAmount, ThresholdFacts } from '../../src/explain/threshold-facts.ts';
import { compareText } from '../../src/foundation/text-order.ts';
import {
  type quantityResult,
  roundedUp,
  thresholdCaseName,
  thresholdCasesOf,
  type thresholdResult,
  type valueResult,
} from '../oracle-thresholds.ts';
import { startSession } from './session.ts';

/** Every threshold of the kubelet 1.20, through `thresholds` of a KubeletConfiguration. */
const session = startSession();
afterAll(session.end);

function thresholds(settings: object, ...flags: readonly string[]) {
  const file = session.file('kubelet.json', { kind: 'KubeletConfiguration', ...settings });
  return session.run('thresholds', file, '--output', 'json', ...flags);
}

/** The rows in the order of the oracle. */
async function rowsOf(settings: object, ...flags: readonly string[]): Promise<readonly ThresholdFacts[]> {
  const { status, stdout, stderr } = await thresholds(settings, ...flags);
  expect(status, stderr).toBe(0);
  const { thresholds: rows } = parse(stdout, undefined, { parseNumber: parseNumberAndBigInt }) as {
    thresholds: ThresholdFacts[];
  };
  return rows.toSorted(
    (a, b) => compareText(a.signal, b.signal) || Number(a.gracePeriodSeconds) - Number(b.gracePeriodSeconds),
  );
}

async function expectRefusal(settings: object, error: string): Promise<void> {
  const { status, stdout, stderr } = await thresholds(settings);
  expect(stderr).toContain(`: ${error}`);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
}

function expectQuantity(actual: ThresholdAmount | null, expected: z.output<typeof quantityResult>): void {
  expect(actual?.quantity).toBe(expected.canonical);
  expect(BigInt.asIntN(64, BigInt(actual?.units ?? 0))).toBe(BigInt(expected.valueRoundedUp));
}

function expectAmount(
  actual: ThresholdAmount | null | undefined,
  expected: z.output<typeof valueResult> | undefined,
): void {
  if (expected === undefined || actual === null || actual === undefined) {
    expect(actual).toBe(expected === undefined ? null : expected);
  } else if ('quantity' in expected) {
    expectQuantity(actual, expected.quantity);
    expect(actual.fraction).toBeNull();
  } else {
    expect(actual.quantity).toBeNull();
    expectFraction(actual, expected.percentage);
  }
}

function expectFraction({ fraction }: ThresholdAmount, expected: number): void {
  if (Number.isNaN(expected)) expect(fraction).toBeNull();
  else expect(Number(fraction)).toBe(expected);
}

function expectRows(
  actual: readonly ThresholdFacts[],
  expected: readonly z.output<typeof thresholdResult>[] = [],
): void {
  expect(actual.map(({ signal }) => signal)).toEqual(expected.map(({ signal }) => signal));
  for (const [index, row] of actual.entries()) {
    const want = expected[index];
    expect(row.isWatched).toBe(want?.operator === 'LessThan');
    expect(row.kind).toBe(want?.isHard === true ? 'hard' : 'soft');
    expect(Number(row.gracePeriodSeconds)).toBe(want?.gracePeriodSeconds);
    expectAmount(row.threshold, want?.value);
    expectAmount(row.minimumReclaim, want?.minReclaim);
  }
}

describe('thresholds of a whole configuration (ParseThresholdConfig)', () => {
  const cases = thresholdCasesOf('ParseThresholdConfig');
  test('has 54 cases', () => expect(cases).toHaveLength(54));

  for (const one of cases) {
    test(thresholdCaseName(one), async () => {
      if (one.error === undefined) expectRows(await rowsOf(one.input), one.thresholds);
      else await expectRefusal(one.input, one.error);
    });
  }
});

describe('thresholds of one signal (parseThresholdStatement, GetThresholdQuantity)', () => {
  const cases = thresholdCasesOf('parseThresholdStatement');
  test('has 67 cases, with 144 capacities', () => {
    expect(cases).toHaveLength(67);
    expect(cases.flatMap((one) => one.thresholdBytesAt ?? [])).toHaveLength(144);
  });

  for (const one of cases) {
    const { signal, value } = one.input;
    const settings = { enforceNodeAllocatable: [], evictionHard: { [signal]: value } };
    test(thresholdCaseName(one), async () => {
      if (one.error !== undefined) {
        await expectRefusal(settings, one.error);
        return;
      }
      const rows = await rowsOf(settings);
      expect(rows.length === 0).toBe(one.ignored === true);
      expectRows(rows, one.thresholds);
      for (const { capacityBytes, thresholdBytes } of one.thresholdBytesAt ?? []) {
        const [row] = await rowsOf(settings, '--capacity', `${signal}=${capacityBytes}`);
        // As whole units, for nothing is available in fractions.
        expect(BigInt(row?.threshold.units ?? 0)).toBe(roundedUp(thresholdBytes));
      }
    });
  }
});

/** Values stand as a minimum reclaim, which the same functions read: it may be 0, and 100 % does not switch it off. */
const reclaiming = (value: string) => ({
  enforceNodeAllocatable: [],
  evictionHard: { 'memory.available': '1Gi' },
  evictionMinimumReclaim: { 'memory.available': value },
});

describe('thresholds of a percentage (parsePercentage)', () => {
  const cases = thresholdCasesOf('parsePercentage');

  for (const one of cases) {
    const { value } = one.input;
    test(thresholdCaseName(one), async () => {
      // Without a percent sign it is no percentage where a person writes it.
      const settings = reclaiming(value.endsWith('%') ? value : `${value}%`);
      if (one.error !== undefined) await expectRefusal(settings, one.error);
      else if (one.result?.percentage === 0) {
        await expectRefusal(
          settings,
          `eviction percentage minimum reclaim memory.available must be positive: ${value}`,
        );
      } else {
        const [row] = await rowsOf(settings);
        expectAmount(row?.minimumReclaim, one.result);
      }
    });
  }

  test('has 10 cases: 7 with a value, one of 0, and 2 that are refused', () => {
    const values = cases.map(({ result }) => result?.percentage);
    expect(values.filter((value) => value !== undefined && value > 0)).toHaveLength(7);
    expect(values.filter((value) => value === 0)).toHaveLength(1);
    expect(values.filter((value) => value === undefined)).toHaveLength(2);
  });
});

describe('thresholds of a quantity (ParseQuantity)', () => {
  const cases = thresholdCasesOf('ParseQuantity');

  for (const one of cases) {
    const { value } = one.input;
    test(thresholdCaseName(one), async () => {
      if (one.error !== undefined) await expectRefusal(reclaiming(value), one.error);
      else if (value.startsWith('-')) {
        await expectRefusal(
          reclaiming(value),
          'negative eviction minimum reclaim specified for memory.available',
        );
      } else {
        const [row] = await rowsOf(reclaiming(value));
        if (one.result === undefined) throw new Error('a case without a result');
        expectQuantity(row?.minimumReclaim ?? null, one.result);
      }
    });
  }

  test('has 46 cases, one of which is below 0 and so refused', () => {
    expect(cases).toHaveLength(46);
    expect(
      cases.filter(({ error, input }) => error === undefined && input.value.startsWith('-')),
    ).toHaveLength(1);
  });
});
