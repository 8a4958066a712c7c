import type { clusterFindings, nodeFindings } from './cluster-findings.ts';
import type { Finding } from './finding.ts';
import type { WorkloadFindingId } from './workload-findings.ts';

type FindingId = WorkloadFindingId | keyof typeof nodeFindings | keyof typeof clusterFindings;

/** Every finding, the most urgent first: what kills or evicts today, what will, what wastes, what is good to know. */
const mostUrgentFirst = {
  eviction_problem: true,
  oom_killed: true,
  leak_trend: true,
  request_above_any_node: true,
  no_request: true,
  under_requested: true,
  guaranteed_low_priority: true,
  scheduling_problem: true,
  over_requested: true,
  injected_class: true,
  limit_range_class: true,
  priority_inflation: true,
  spiky: true,
  short_history: true,
} as const satisfies Record<FindingId, true>;

const places = new Map(Object.keys(mostUrgentFirst).map((id, i) => [id, i]));

/** Place in the order of urgency, 0 first. */
export function urgencyOf({ id }: Finding): number {
  return places.get(id) ?? places.size;
}
