import { compareText } from '../../foundation/text-order.ts';
import type { Review, WorkloadReview } from '../../review/review.ts';

type Compare = (a: WorkloadReview, b: WorkloadReview) => number;

const descending =
  (numberOf: (review: WorkloadReview) => number | undefined): Compare =>
  (a, b) =>
    (numberOf(b) ?? Number.NEGATIVE_INFINITY) - (numberOf(a) ?? Number.NEGATIVE_INFINITY) || 0;

/** What a review may be sorted by, largest first but for names; what is not known comes last. */
export const sortKeys = {
  change: descending(({ effect }) => (effect === undefined ? undefined : Math.abs(effect.changeBytes))),
  freed: descending(({ effect }) => (effect === undefined ? undefined : -effect.changeBytes)),
  added: descending(({ effect }) => effect?.changeBytes),
  request: descending(({ requestBytes, replicas }) =>
    requestBytes === undefined ? undefined : requestBytes * replicas,
  ),
  peak: descending(({ hourly }) => hourly?.peakBytes),
  'time-over-request': descending(({ hourly }) => hourly?.timeOverRequestRatio),
  'oom-kills': descending(({ oomKills }) => oomKills),
  name: compareNames,
} as const satisfies Record<string, Compare>;

export type SortKey = keyof typeof sortKeys;

export interface ReviewChoice {
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  readonly findings: readonly string[];
  readonly sort: SortKey;
  readonly top: number | undefined;
}

/** The workloads asked for, in the order asked for. Nodes and cluster stay whole: they hold every workload. */
export function chooseWorkloads(review: Review, choice: ReviewChoice): Review {
  const { namespaces, kinds, findings, sort, top } = choice;
  const isIn = (wanted: readonly string[], value: string): boolean =>
    wanted.length === 0 || wanted.includes(value);
  const workloads = review.workloads
    .filter(({ workload }) => isIn(namespaces, workload.namespace))
    .filter(
      ({ workload }) =>
        kinds.length === 0 || kinds.some((kind) => kind.toLowerCase() === workload.kind.toLowerCase()),
    )
    .filter((one) => findings.length === 0 || one.findings.some(({ id }) => findings.includes(id)))
    .toSorted((a, b) => sortKeys[sort](a, b) || compareNames(a, b));
  return { ...review, workloads: workloads.slice(0, top) };
}

function compareNames({ workload: a }: WorkloadReview, { workload: b }: WorkloadReview): number {
  return (
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.kind, b.kind)
  );
}
