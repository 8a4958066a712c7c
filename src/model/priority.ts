import type { CollectedInputs } from '../inputs/collect.ts';
import type { InputProblem } from './cluster.ts';
import { podKey } from './keys.ts';
import { problem } from './problem.ts';

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
  /** Priority of a pod: as the scheduler reports it, else through its class. */
  priorityOf(name: string, priorityClass: string | undefined): number;
}

/** @param classes values by class name, from the settings. */
export function priorityLookup(
  { rows }: CollectedInputs,
  classes: ReadonlyMap<string, number>,
): PriorityLookup {
  const reported = new Map<string, number>();
  for (const sample of rows.pod_priority.samples) {
    const key = podKey(sample, rows.pod_priority.keys);
    const priority = Number(sample.labels.priority);
    if (key !== undefined && Number.isInteger(priority)) reported.set(key, priority);
  }
  const byClass = classPriorities(classes);
  return {
    priorityOf: (name, priorityClass) => reported.get(name) ?? byClass.priorityOf(priorityClass),
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
          remedy: `set --priority-classes=${priorityClass}=VALUE (kubectl get priorityclass ${priorityClass})`,
        }),
      ),
  };
}
