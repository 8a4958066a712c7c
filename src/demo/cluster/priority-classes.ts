/** Built into Kubernetes (`pkg/apis/scheduling/types.go`). */
const builtInClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** The demo cluster's own classes, as an operator would configure them. */
export const demoPriorityClasses = {
  'business-critical': 100_000,
  interactive: 1_000,
  'node-agents': 500,
  standard: 100,
  'batch-low': -100,
  preemptible: -1_000,
} as const satisfies Readonly<Record<string, number>>;

/** Used by a pod, and left out of the configured map on purpose. */
export const unmappedPriorityClass = 'acme-legacy-tier';

/** spec.priority of a pod of this class, as far as it can be known: nobody told the value of the unmapped class, so it is 0. */
export function priorityOf(priorityClass: string | undefined): number {
  const values: Readonly<Record<string, number>> = { ...builtInClasses, ...demoPriorityClasses };
  return priorityClass === undefined ? 0 : (values[priorityClass] ?? 0);
}
