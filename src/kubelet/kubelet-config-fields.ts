/** The fields of a KubeletConfiguration that concern eviction and memory, as the kubelet decodes them. */
import { distance } from 'fastest-levenshtein';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { describeError } from '../foundation/errors.ts';

/** The kubelet's decoder takes nothing else for a text: "cannot unmarshal number into Go struct field". */
const statement = z.string({ error: 'the kubelet takes only text here: put it in quotes' });
const statements = z.record(z.string(), statement);

/** Fields that are not ours are left alone. Defaults: pkg/kubelet/apis/config/v1beta1/defaults.go. */
const fields = {
  enforceNodeAllocatable: z.array(z.string()).nullish(),
  evictionHard: statements.nullish(),
  evictionSoft: statements.nullish(),
  evictionSoftGracePeriod: statements.nullish(),
  evictionMinimumReclaim: statements.nullish(),
  mergeDefaultEvictionSettings: z.boolean().nullish(),
  evictionMaxPodGracePeriod: z.int().nullish(),
  evictionPressureTransitionPeriod: z.string().nullish(),
  memoryThrottlingFactor: z.number().min(0).max(1).nullish(),
  memoryReservationPolicy: z.enum(['None', 'TieredReservation']).nullish(),
};
const configuration = z.object(fields);
export type KubeletConfigFields = z.output<typeof configuration>;

const mapping = z.record(z.string(), z.unknown());
const file = z.looseObject({ kind: z.literal('KubeletConfiguration') });
/** The answer of `configz` names no kind. */
const endpoint = z.object({ kubeletconfig: mapping }).transform(({ kubeletconfig }) => kubeletconfig);

export interface FieldsRead {
  /** Those that can be read. */
  readonly fields: KubeletConfigFields;
  /** What cannot, each with its path. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** From YAML or JSON, as a file or as `configz` answers it. */
export function readKubeletConfigFields(text: string): FieldsRead {
  let document: unknown;
  try {
    document = parseYaml(text, { logLevel: 'error' });
  } catch (error) {
    return { fields: {}, problems: [`neither YAML nor JSON: ${describeError(error)}`], warnings: [] };
  }
  const isEndpoint = mapping.safeParse(document).data?.kubeletconfig !== undefined;
  const given = isEndpoint ? endpoint.safeParse(document) : file.safeParse(document);
  if (!given.success) return { fields: {}, problems: problemsOf(given.error, []), warnings: [] };
  const own = given.data;
  const read = configuration.safeParse(own);
  const warnings = Object.keys(own).flatMap(misspelled);
  if (read.success) return { fields: read.data, problems: [], warnings };
  const rest = configuration.safeParse(withoutIssues(own, read.error));
  return {
    fields: rest.data ?? {},
    problems: problemsOf(read.error, isEndpoint ? ['kubeletconfig'] : []),
    warnings,
  };
}

function problemsOf({ issues }: z.ZodError, at: readonly string[]): string[] {
  return issues.map(
    ({ path, message }) => `${[...at, ...path].map(String).join('.') || 'the document'}: ${message}`,
  );
}

/** What is left can be checked further, so that all problems are told at once. */
function withoutIssues(given: Readonly<Record<string, unknown>>, { issues }: z.ZodError) {
  const rest: Record<string, unknown> = { ...given };
  for (const { path } of issues) {
    const [field, key] = path.map(String);
    if (field === undefined) continue;
    const entries = mapping.safeParse(rest[field]);
    if (key === undefined || !entries.success) delete rest[field];
    else rest[field] = Object.fromEntries(Object.entries(entries.data).filter(([name]) => name !== key));
  }
  return rest;
}

/** So many letters may differ in a field that was meant to be one of ours. */
const MOST_TYPOS = 2;

/**
 * The kubelet passes over fields it does not know, and over those written with another case, with no more than a line
 * in its log (pkg/kubelet/kubeletconfig/util/codec/codec.go, kubernetes/kubernetes#83204).
 */
function misspelled(name: string): string[] {
  if (Object.hasOwn(fields, name)) return [];
  const meant = Object.keys(fields).find(
    (own) => distance(own.toLowerCase(), name.toLowerCase()) <= MOST_TYPOS,
  );
  return meant === undefined
    ? []
    : [`${name} is no field of a KubeletConfiguration, and the kubelet passes over it: write ${meant}`];
}
