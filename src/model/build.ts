import type { EvictrankError } from '../foundation/errors.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import { clockProblems } from './clock-problems.ts';
import type { Cluster } from './cluster.ts';
import { findLivePods } from './generations.ts';
import { inputProblems } from './input-problems.ts';
import { buildNodes, nodeProblems } from './nodes.ts';
import { buildPods } from './pods.ts';
import { priorityClassProblems } from './priority.ts';

/**
 * Joins the inputs of one evaluation time into nodes with their pods. Only this folder joins series.
 * @param settings values of PriorityClasses by name, and why the cluster's own could not be read.
 */
export function buildCluster(
  inputs: CollectedInputs,
  settings: {
    readonly priorityClasses: ReadonlyMap<string, number>;
    readonly priorityClassFailure?: EvictrankError | undefined;
  },
): Cluster {
  const live = findLivePods(inputs);
  const { pods, lostUsage, problems, ...rest } = buildPods(inputs, live, settings.priorityClasses);
  const nodes = buildNodes(inputs, { pods, lostUsage, lost: live.lost });
  return {
    evaluatedAtMs: inputs.evaluatedAtMs,
    nodes,
    ...rest,
    problems: [
      ...inputProblems(inputs),
      ...clockProblems(inputs),
      ...priorityClassProblems(settings.priorityClassFailure),
      ...problems,
      ...nodes.flatMap(nodeProblems),
    ],
  };
}
