import { restingJobInput } from '../inputs/job-inputs.ts';
import { type CollectedReview, type ReviewInputId, reviewInputs } from '../inputs/review-inputs.ts';
import type { LabelKeys } from '../inputs/scope.ts';
import type { Labels } from '../prometheus/client.ts';
import { PrometheusError } from '../prometheus/failures.ts';
import { firstFew } from './pods.ts';

/** Without them containers are not known at all. */
export const neededForSpecs = [
  'containers',
  'requests',
  'limits',
] as const satisfies readonly ReviewInputId[];

/** What was not answered, or came as no number, and what that costs: one sentence each. */
export function gapsOf({ rows, restingJobs }: CollectedReview): string[] {
  const ids = Object.keys(rows) as ReviewInputId[];
  const failed = ids
    .filter((id) => rows[id].error !== undefined)
    .map(
      (id) =>
        `The query for ${nameOf(id)} failed: ${reviewInputs[id].cost}. ${rows[id].error?.message ?? ''}`,
    );
  const missing = neededForSpecs
    .filter((id) => rows[id].error === undefined && rows[id].samples.length === 0)
    .map((id) => `There are no series for ${id}: ${reviewInputs[id].cost}.`);
  const lost = ids
    .filter((id) => rows[id].dropped.length > 0)
    .map((id) => lostText(nameOf(id), rows[id].dropped, rows[id].keys));
  if (restingJobs instanceof PrometheusError) {
    const why = `The query for CronJobs between two runs failed: ${restingJobInput.cost}. ${restingJobs.message}`;
    return [...failed, ...missing, ...lost, why];
  }
  const { dropped, keys } = restingJobs;
  const lostJobs = dropped.length === 0 ? [] : [lostText('CronJobs between two runs', dropped, keys)];
  return [...failed, ...missing, ...lost, ...lostJobs];
}

function nameOf(id: ReviewInputId): string {
  return id.replaceAll('_', ' ');
}

function lostText(what: string, dropped: readonly Labels[], keys: LabelKeys): string {
  const whose = dropped.map((labels) =>
    [labels[keys.namespace], labels[keys.pod] ?? labels[keys.node] ?? ''].filter(Boolean).join('/'),
  );
  return `Samples of ${what} are NaN, infinite or beyond 2^53 (${dropped.length} of them), and what they say is not known: ${firstFew([...new Set(whose)])}.`;
}
