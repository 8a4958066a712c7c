/** Every kind of input problem: label `kind` of evictrank_input_problems. */
export const problemKinds = [
  'input_empty',
  'input_failed',
  'samples_dropped',
  'backend_notice',
  'priority_class_unmapped',
  'priority_classes_unread',
  'sidecar_order_unknown',
  'pod_generations_overlap',
  'node_without_usage',
  'label_missing',
  'labels_renamed',
  'clock_differs',
  'window_query_failed',
  'window_set_aside',
  'window_not_saved',
] as const;

export type ProblemKind = (typeof problemKinds)[number];

/** Something about the inputs an operator should know: what is missing or odd, what that makes wrong, how to repair it. */
export interface InputProblem {
  readonly kind: ProblemKind;
  /** What it concerns: an input id, a node, a priority class. */
  readonly subject: string;
  readonly message: string;
  readonly remedy: string;
}

export function problem(kind: ProblemKind, fields: Omit<InputProblem, 'kind'>): InputProblem {
  return { kind, ...fields };
}
