import { describeError } from '../../foundation/errors.ts';
import { parseQuantity, quantityToNumber } from '../../foundation/quantity.ts';
import {
  type PodChange,
  readMinimumReclaim,
  readThreshold,
  type Scenario,
  ScenarioError,
} from '../../scenario/scenario.ts';
import type { Given } from './settings.ts';
import { UsageError } from './usage-error.ts';

/** The scenario that the options of `simulate` describe. @throws UsageError */
export function scenarioOf(given: Given): Scenario {
  const { extraNodeUsage, threshold, minimumReclaim, pod = [] } = given;
  return {
    extraNodeUsageBytes:
      extraNodeUsage === undefined ? undefined : bytesOf('--extra-node-usage', String(extraNodeUsage)),
    threshold:
      threshold === undefined ? undefined : asUsage('--threshold', () => readThreshold(String(threshold))),
    minimumReclaim:
      minimumReclaim === undefined
        ? undefined
        : asUsage('--minimum-reclaim', () => readMinimumReclaim(String(minimumReclaim))),
    pods: (pod as readonly string[]).map(parsePodChange),
  };
}

const fields: Readonly<Record<string, (change: PodChange, value: string) => PodChange>> = {
  priority: (change, value) => ({ ...change, priority: priorityOf(value) }),
  request: (change, value) => ({ ...change, requestBytes: amountOf('request', value) }),
  usage: (change, value) => ({ ...change, usageBytes: amountOf('usage', value) }),
};

/** `namespace/name,priority=-1000,request=1Gi,usage=2Gi`. @throws UsageError */
export function parsePodChange(text: string): PodChange {
  const [name = '', ...parts] = text.split(',');
  const [namespace, pod, ...rest] = name.split('/');
  if (!namespace || !pod || rest.length > 0 || parts.length === 0) {
    throw new UsageError(
      `--pod ${text} must be written NAMESPACE/NAME,priority=N,request=QUANTITY,usage=QUANTITY with at least one of the three`,
    );
  }
  return parts.reduce<PodChange>(
    (change, part) => {
      const [key = '', value] = part.split('=', 2);
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field === undefined || value === undefined) {
        throw new UsageError(
          `--pod ${name}: "${part}" must be priority=N, request=QUANTITY or usage=QUANTITY`,
        );
      }
      return field(change, value);
    },
    { namespace, pod },
  );
}

function priorityOf(value: string): number {
  const priority = Number(value);
  if (/^-?\d+$/.test(value) && priority === (priority | 0)) return priority;
  throw new UsageError(`--pod: priority ${value} must be a 32-bit whole number`);
}

function amountOf(field: string, value: string): number {
  const bytes = bytesOf(`--pod: ${field}`, value);
  if (bytes < 0) throw new UsageError(`--pod: ${field} ${value} must not be negative`);
  return bytes;
}

function bytesOf(name: string, value: string): number {
  const bytes = asUsage(name, () => quantityToNumber(parseQuantity(value)));
  if (Math.abs(bytes) <= Number.MAX_SAFE_INTEGER) return bytes;
  throw new UsageError(`${name} ${value} is more than 8Pi`);
}

function asUsage<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = cause instanceof ScenarioError ? cause.message : describeError(cause);
    throw new UsageError(`${name}: ${message}`, { cause });
  }
}
