/** Parts that several answers and requests share. Everything here shows in /openapi.json. */
import { z } from 'zod';
import { describeError } from '../../../foundation/errors.ts';
import { parseQuantity, wholeValue } from '../../../foundation/quantity.ts';

/** Schemas that get a name of their own in the OpenAPI document. */
export const answerSchemas = z.registry<{ readonly id: string }>();
export const requestSchemas = z.registry<{ readonly id: string }>();

/** Kubernetes names have at most 253 characters (DNS subdomain), labels of Prometheus may hold others. */
export const name = z.string().min(1).max(253);

export const basis = z.enum(['now', 'peak']);
export const qosClass = z.enum(['Guaranteed', 'Burstable', 'BestEffort']);
export const group = z.enum(['no_stats', 'exceeds_request', 'within_request', 'protected']);
export const decidedBy = z.enum(['no_stats', 'exceeds_request', 'priority', 'over_request', 'tie']);
export const time = z.iso.datetime();
export const bytes = z.number();
/** Absent numbers are null, never 0. */
export const bytesOrNull = bytes.nullable();
export const sentences = z.array(z.string());

export const problem = z
  .object({ title: z.string(), detail: z.string(), status: z.int() })
  .describe('RFC 9457 problem details.')
  .register(answerSchemas, { id: 'Problem' });

/** Bytes as a number or as a Kubernetes quantity (`1408Mi`); a fraction of a byte is rounded up. */
export function bytesInput(bounds: { readonly min: number }) {
  return z
    .union([z.int(), z.string().min(1).max(64)], 'must be whole bytes or a quantity such as 512Mi')
    .transform((given, context) => {
      try {
        const value = typeof given === 'number' ? given : Number(wholeValue(parseQuantity(given)));
        if (value >= bounds.min && value <= Number.MAX_SAFE_INTEGER) return value;
        context.addIssue(`must be from ${bounds.min} to 2^53 − 1 bytes`);
      } catch (error) {
        context.addIssue(`"${given}" is no quantity: ${describeError(error)}`);
      }
      return z.NEVER;
    })
    .describe('Bytes as a whole number, or a Kubernetes quantity such as 1408Mi.');
}
