import { z } from 'zod';
import { parseDurationMs } from '../foundation/duration.ts';
import { describeError } from '../foundation/errors.ts';
import { isPlausibleThreshold, type ThresholdValue } from '../kubelet/threshold.ts';
import { parseThresholdStatement } from '../kubelet/threshold-config.ts';

/** Text → value schemas for the option table. Each message says what was expected, with an example. */

export const text = z.string().min(1, 'must not be empty');
export const optionalText = z.string().transform((value) => (value === '' ? undefined : value));

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

/** Milliseconds, within bounds given as text so that the message can show them. */
export function duration(bounds: { min: string; max: string }) {
  const minMs = parseDurationMs(bounds.min) ?? 0;
  const maxMs = parseDurationMs(bounds.max) ?? Number.POSITIVE_INFINITY;
  return z.string().transform((value, context) => {
    const ms = parseDurationMs(value);
    if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
    context.addIssue(`must be a duration from ${bounds.min} to ${bounds.max}, such as 30s, 5m or 7d`);
    return z.NEVER;
  });
}

export function wholeNumber(bounds: { min: number; max: number }) {
  return z.string().transform((value, context) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= bounds.min && number <= bounds.max) return number;
    context.addIssue(`must be a whole number from ${bounds.min} to ${bounds.max}`);
    return z.NEVER;
  });
}

/** A share: `15%` or `0.15`, as a fraction. */
export const share = z.string().transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(value);
  const fraction = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (fraction >= 0 && fraction <= 10) return fraction;
  context.addIssue('must be a share such as 15% or 0.15');
  return z.NEVER;
});

export const httpUrl = z.string().superRefine((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    context.addIssue('must be an http or https URL, such as http://prometheus.monitoring:9090');
  } else if (url.username !== '' || url.password !== '') {
    // Kept out of process lists, logs and errors: the password belongs into a file.
    context.addIssue(
      'must not contain a user or password: use --prometheus.username and --prometheus.password-file',
    );
  }
});

/** Host and port to listen on: `127.0.0.1:9896`, `:9896` (all addresses), `[::1]:9896`. */
export const listenAddress = z.string().transform((value, context) => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(value);
  const port = Number(match?.[3]);
  if (match !== null && port <= 65_535) {
    return { host: match[1] ?? (match[2] || undefined), port };
  }
  context.addIssue('must be host:port, such as 127.0.0.1:9896, or :9896 for all addresses');
  return z.NEVER;
});

/** Label names Prometheus 2 accepts; the wider UTF-8 names of Prometheus 3 need quoting that older versions reject. */
const labelNamePattern = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
export const labelName = z
  .string()
  .regex(labelNamePattern, 'must be a label name: letters, digits and _, not starting with a digit');
export const optionalLabelName = z
  .union([z.literal(''), labelName], 'must be a label name, or empty for none')
  .transform((value) => (value === '' ? undefined : value));

const matcherPattern = /[a-zA-Z_][a-zA-Z0-9_]*\s*(?:=|!=|=~|!~)\s*"(?:[^"\\\n]|\\.)*"/.source;
const matchersPattern = new RegExp(`^\\s*${matcherPattern}(?:\\s*,\\s*${matcherPattern})*\\s*,?\\s*$`);

/** PromQL matchers without their braces, such as `cluster="prod",env!="dev"`; undefined = none. */
export const labelMatchers = z
  .string()
  .refine(
    (value) => value === '' || matchersPattern.test(value),
    'must be label matchers such as cluster="prod",env!="dev", without braces',
  )
  .transform((value) => value.trim().replace(/\s*,$/, '') || undefined);

/** Hard threshold of memory.available, read as the kubelet reads it: `100Mi` or `5%`. */
export const memoryThreshold = z.string().transform((value, context): ThresholdValue => {
  const example = 'write a quantity such as 100Mi or a percentage such as 5%';
  try {
    const threshold = parseThresholdStatement('memory.available', value);
    if (threshold !== undefined && isPlausibleThreshold(threshold.value)) return threshold.value;
    const why =
      threshold === undefined
        ? 'switches the threshold off, so that nothing is ever evicted'
        : 'is no amount of memory that a node can have';
    context.addIssue(`${value} ${why}; ${example}`);
  } catch (error) {
    context.addIssue(`is refused by the kubelet: ${describeError(error)}; ${example}`);
  }
  return z.NEVER;
});

/** `name=value,name=value` of PriorityClasses; values as Kubernetes allows them (int32). */
export const priorityClasses = z.array(z.string()).transform((entries, context) => {
  const values = new Map<string, number>();
  for (const entry of entries.flatMap((list) => list.split(',')).filter((part) => part !== '')) {
    const match = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)=(-?\d{1,10})$/.exec(entry.trim());
    const value = Number(match?.[3]);
    if (match?.[1] === undefined || value > 2_147_483_647 || value < -2_147_483_648) {
      context.addIssue(`"${entry}" must be name=value with a 32-bit whole number, such as high=1000`);
    } else {
      values.set(match[1], value);
    }
  }
  return values as ReadonlyMap<string, number>;
});

/** What HTTP can carry (RFC 9110, section 5.5). */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** `Name: value` headers; the value may contain colons. */
export const headers = z.array(z.string()).transform((entries, context) => {
  const pairs: Record<string, string> = {};
  for (const entry of entries) {
    const colon = entry.indexOf(':');
    const name = entry.slice(0, colon).trim();
    const value = entry.slice(colon + 1).trim();
    // The value may be a secret, so the message never repeats it.
    if (colon < 1 || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !headerValue.test(value)) {
      context.addIssue('each header must be written "Name: value", in characters that HTTP allows');
    } else {
      pairs[name] = value;
    }
  }
  return Object.freeze(pairs);
});

/** Names of metric families, `a,b`; whether each exists is checked where the catalogue is known. */
export const nameList = z.array(z.string()).transform((entries) =>
  entries
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);
