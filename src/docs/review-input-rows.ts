import { containerHoursInput } from '../inputs/container-hours.ts';
import { restingJobInput } from '../inputs/job-inputs.ts';
import { type ReviewInput, reviewInputs } from '../inputs/review-inputs.ts';
import { sizingInputs } from '../inputs/sizing-inputs.ts';

/** What the capacity review reads beside the inputs of a refresh: input, who asks, metrics, cost. */
export function reviewInputRows(): string[][] {
  const row = (
    id: string,
    asked: string,
    { metrics, cost }: { readonly metrics: readonly string[]; readonly cost: string },
  ): string[] => [`\`${id}\``, asked, metrics.map((metric) => `\`${metric}\``).join(', '), sentence(cost)];
  return [
    ...Object.entries(sizingInputs).map(([id, input]) => row(id, 'service, hourly; review', input)),
    ...Object.entries<ReviewInput>(reviewInputs).map(([id, { metric, cost }]) =>
      row(id, 'review', { metrics: [metric], cost }),
    ),
    row('resting_jobs', 'review', restingJobInput),
    row('container_hours', 'review', containerHoursInput),
  ];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}
