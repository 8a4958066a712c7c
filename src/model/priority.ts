import type { EvictrankError } from '../foundation/errors.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { LivePods } from './generations.ts';
import { type InputProblem, problem } from './problem.ts';

/** Classes that every cluster has (pkg/apis/scheduling/types.go). */
export const builtInPriorityClasses: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

/** Priorities by class name alone. */
export interface ClassPriority {
  /** 0 where no class is given or its value is not known. */
  priorityOf(priorityClass: string | undefined): number;
  /** One problem for each class that was needed and is in no map. */
  problems(): InputProblem[];
}

export interface PriorityLookup extends Pick<ClassPriority, 'problems'> {
  /** Priority of a living pod by its number: as the scheduler reports it, else through its class. */
  priorityOf(pod: number, priorityClass: string | undefined): number;
}

/** @param classes values by class name, from the settings. */
export function priorityLookup(
  { rows }: CollectedInputs,
  live: LivePods,
  classes: ReadonlyMap<string, number>,
): PriorityLookup {
  const reported = new Array<number | undefined>(live.living.length);
  for (const sample of rows.pod_priority.samples) {
    const pod = live.byName(sample, rows.pod_priority.keys);
    const priority = Number(sample.labels.priority);
    if (pod !== undefined && Number.isInteger(priority)) reported[pod] = priority;
  }
  const byClass = classPriorities(classes);
  return {
    priorityOf: (pod, priorityClass) => reported[pod] ?? byClass.priorityOf(priorityClass),
    problems: byClass.problems,
  };
}

export function classPriorities(classes: ReadonlyMap<string, number>): ClassPriority {
  const unmapped = new Map<string, number>();
  return {
    priorityOf(priorityClass) {
      if (priorityClass === undefined) return 0;
      const known = classes.get(priorityClass) ?? builtInPriorityClasses.get(priorityClass);
      if (known === undefined) unmapped.set(priorityClass, (unmapped.get(priorityClass) ?? 0) + 1);
      return known ?? 0;
    },
    problems: () =>
      [...unmapped].map(([priorityClass, pods]) =>
        problem('priority_class_unmapped', {
          subject: priorityClass,
          message: `the value of PriorityClass ${priorityClass} is not known, so its ${pods} pods count as priority 0`,
          remedy: `set --kubernetes.priority-classes=true in a pod of the cluster, or --priority-classes=${priorityClass}=VALUE (kubectl get priorityclass ${priorityClass})`,
        }),
      ),
  };
}

/** @param failure why the PriorityClasses were not read from the Kubernetes API; undefined = nothing to tell. */
export function priorityClassProblems(failure: EvictrankError | undefined): InputProblem[] {
  if (failure === undefined) return [];
  return [
    problem('priority_classes_unread', {
      subject: 'kubernetes.priority-classes',
      message: `${failure.message}, so priorities come from --priority-classes and from what was read before`,
      remedy: failure.remedy ?? 'set --priority-classes',
    }),
  ];
}
