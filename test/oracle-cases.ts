/**
 * Reads test/oracle/*.json: answers of the real kubelet code. Every file has a strict schema beside its tests, so that
 * a field nobody looks at is an error and not a gap.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { z } from 'zod';

/** How many cases each file holds (test/oracle/README.md): a test that ran fewer would prove less than it says. */
const CASE_COUNTS = {
  rank_memory: 200,
  rank_disk: 78,
  rank_pid: 50,
  qos: 300,
  oom_score_adj: 100,
  thresholds: 204,
  eviction_message: 57,
  synchronize: 35,
} as const;

export function readOracleCases<S extends z.ZodType>(
  file: keyof typeof CASE_COUNTS,
  schema: S,
): z.output<S>[] {
  const content = z
    .strictObject({ source: z.string(), cases: z.array(schema) })
    .parse(readOracleFile(`${file}.json`));
  expect(content.cases, `all cases of ${file}.json`).toHaveLength(CASE_COUNTS[file]);
  return content.cases;
}

export function readOracleFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./oracle/${name}`, import.meta.url), 'utf8'));
}

/** A whole number; above 2^53 it is written as a string, and read as a bigint. */
export const wholeNumber = z.union([
  z.number().refine(Number.isInteger),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(BigInt),
]);

/** null = absent. */
export function nullable<S extends z.ZodType>(schema: S) {
  return z.nullable(schema).transform((value) => value ?? undefined);
}

/** The facts every case has: a number, how its input was made, and for some what it shows. */
export const caseHead = {
  id: z.int(),
  kind: z.enum(['random', 'grid', 'edge', 'ties']),
  note: z.string().optional(),
};

export function caseName({
  id,
  kind,
  note,
}: {
  id: number;
  kind: string;
  note?: string | undefined;
}): string {
  return note === undefined ? `case ${id} (${kind})` : `case ${id}: ${note}`;
}

/** One strict order, or groups of pods that are equal under every comparator. */
export const rankOutcome = {
  ranked: z.array(z.string()).optional(),
  rankedGroups: z.array(z.array(z.string())).optional(),
};

/** The outcome as groups: of one pod each where the order is strict. */
export function expectedGroups(outcome: {
  ranked?: string[] | undefined;
  rankedGroups?: string[][] | undefined;
}): string[][] {
  const groups = outcome.rankedGroups ?? outcome.ranked?.map((name) => [name]);
  if (groups === undefined) throw new Error('a case without an order');
  return groups;
}
