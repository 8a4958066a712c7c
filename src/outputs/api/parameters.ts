import { z } from 'zod';
import { HttpProblem } from './problem-details.ts';
import { name } from './schemas/common.ts';

export const basisParameters = z.strictObject({
  basis: z.enum(['now', 'peak']).default('now'),
  cluster: name.optional(),
});

export const podListParameters = z.strictObject({
  cluster: name.optional(),
  namespace: name.optional(),
  node: name.optional(),
  qos_class: z.enum(['Guaranteed', 'Burstable', 'BestEffort']).optional(),
  group: z.enum(['no_stats', 'exceeds_request', 'within_request', 'protected']).optional(),
  basis: z.enum(['now', 'peak']).default('now'),
  sort: z
    .enum(['node', 'headroom'])
    .default('node')
    .describe('Nodes by name, or the one with the least memory above its eviction threshold first.'),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().max(1024).optional(),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000_000)
    .optional()
    .describe('Pods to pass over, after the cursor where there is one.'),
  search: name.optional().describe('Part of namespace/name.'),
});

export const clusterParameters = z.strictObject({ cluster: name.optional() });

export const workloadParameters = z.strictObject({
  cluster: name.optional(),
  namespace: name.optional(),
  kind: name.optional().describe('Kind of the owner, such as Deployment, whatever its case.'),
  format: z.enum(['json', 'csv']).default('json'),
});

export const noParameters = z.strictObject({});

/** Parts of a path: names as Kubernetes has them (RFC 1123 subdomains), so nothing else ever reaches a query. */
const kubernetesName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'is not a name that Kubernetes allows');

/** A node is only looked up in the data, and its name is whatever a label says. */
export const nodePath = z.strictObject({ node: name });

export const podPath = z.strictObject({ namespace: kubernetesName, pod: kubernetesName });

/** @throws HttpProblem 400 naming every parameter that is wrong. */
export function parseParameters<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const detail = parsed.error.issues
    .map((issue) => `${issue.path.map(String).join('.') || 'query'}: ${issue.message}`)
    .join('; ');
  throw new HttpProblem(400, 'Bad parameters', detail);
}
