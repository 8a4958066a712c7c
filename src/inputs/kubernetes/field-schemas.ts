import { z } from 'zod';
import { describeError } from '../../foundation/errors.ts';
import { parseQuantity, type Quantity, wholeValue } from '../../foundation/quantity.ts';
import { type Amount, wrapToInt64 } from '../../kubelet/amount.ts';

/** Fields of Kubernetes objects. An absent field and null are the same in Kubernetes' JSON, and come out as undefined. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

export function list<S extends z.ZodType>(schema: S) {
  return z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);
}

export const name = z.string('must be a text').min(1, 'must not be empty');

/** The kubelet reads quantities as int64 (`Quantity.Value`); what is larger is no amount of anything. */
const LARGEST_QUANTITY = 2n ** 63n - 1n;

/** A quantity as the API server accepts it in requests, limits and capacities: never below 0. */
const quantity = z
  .union([z.string(), z.number(), z.bigint()], 'must be a quantity such as 512Mi')
  .transform((value, context): Quantity => {
    try {
      const parsed = parseQuantity(String(value));
      if (parsed.nanos < 0n) context.addIssue(`"${value}" must not be negative`);
      else if (wholeValue(parsed) > LARGEST_QUANTITY) context.addIssue(`"${value}" is more than 2^63 − 1`);
      else return parsed;
    } catch (error) {
      context.addIssue(`"${value}" is not a quantity: ${describeError(error)}`);
    }
    return z.NEVER;
  });

export const quantities = optional(z.record(z.string(), quantity));

/** spec.priority and the value of a PriorityClass: int32. */
export const priority = z.int32('must be a 32-bit whole number');

/**
 * A number of the Summary API: uint64 there, int64 where the kubelet compares, so 2^63 and above turn negative
 * (pkg/kubelet/eviction/helpers.go).
 */
export const statistic = z
  .union([z.int(), z.bigint()], 'must be a whole number')
  .refine((value) => value >= 0, 'must not be negative')
  .transform((value): Amount => {
    if (typeof value === 'number') return value;
    const wrapped = wrapToInt64(value);
    const asNumber = Number(wrapped);
    return Number.isSafeInteger(asNumber) ? asNumber : wrapped;
  });

/** Milliseconds since the epoch. */
export const time = z.string().transform((value, context) => {
  const ms = Date.parse(value);
  if (!Number.isNaN(ms)) return ms;
  context.addIssue(`"${value}" is not a time`);
  return z.NEVER;
});
