import type { z } from 'zod';
import { type FileProblem, InputFileError } from './file-problem.ts';
import { readJsonFile } from './json-file.ts';
import { type KubernetesNode, nodeKind, nodeObject } from './node-object.ts';
import { type ObjectKind, readObjects } from './object-list.ts';
import { type KubernetesPod, nodeOfUnreadablePod, podKind, podObject } from './pod-object.ts';
import {
  type KubernetesPriorityClass,
  priorityClassKind,
  priorityClassObject,
} from './priority-class-object.ts';
import { readStatsSummary, type StatsSummary } from './stats-summary.ts';

/** Files written by kubectl. */
export interface ClusterFileNames {
  readonly pods: readonly string[];
  readonly nodes: readonly string[];
  readonly priorityClasses: readonly string[];
  readonly summaries: readonly string[];
}

/** What the files hold, unjoined. */
export interface ClusterFiles {
  readonly pods: readonly KubernetesPod[];
  readonly nodes: readonly KubernetesNode[];
  readonly priorityClasses: readonly KubernetesPriorityClass[];
  readonly summaries: readonly StatsSummary[];
  /** Nodes of the pods that could not be read, one entry for each such pod. */
  readonly unreadablePodNodes: readonly (string | undefined)[];
  /** Objects that could not be read and were left out. */
  readonly problems: readonly FileProblem[];
  /** Files that could not be used at all. */
  readonly unusable: readonly FileProblem[];
}

/** Reads every file, one after another, so that only one is in memory as a whole. `onFile` is told before each. */
export async function readClusterFiles(
  names: ClusterFileNames,
  onFile: (file: string) => void = () => undefined,
): Promise<ClusterFiles> {
  const problems: FileProblem[] = [];
  const unusable: FileProblem[] = [];
  const unreadablePodNodes: (string | undefined)[] = [];

  async function readEach<T>(
    files: readonly string[],
    read: (content: unknown, file: string) => { objects: readonly T[]; problems: readonly FileProblem[] },
  ): Promise<T[]> {
    const all: T[] = [];
    for (const file of files) {
      onFile(file);
      try {
        const found = read(await readJsonFile(file), file);
        for (const object of found.objects) all.push(object);
        for (const problem of found.problems) problems.push(problem);
      } catch (error) {
        if (!(error instanceof InputFileError)) throw error;
        unusable.push(error.problem);
      }
    }
    return all;
  }
  const listOf =
    <S extends z.ZodType>(expected: ObjectKind, schema: S) =>
    (content: unknown, file: string) =>
      readObjects(content, { file, expected, schema });

  return {
    pods: await readEach(names.pods, (content, file) => {
      const found = readObjects(content, { file, expected: podKind, schema: podObject });
      for (const pod of found.unreadable) unreadablePodNodes.push(nodeOfUnreadablePod(pod));
      return found;
    }),
    nodes: await readEach(names.nodes, listOf(nodeKind, nodeObject)),
    priorityClasses: await readEach(names.priorityClasses, listOf(priorityClassKind, priorityClassObject)),
    summaries: await readEach(names.summaries, (content, file) => {
      const { summary, problems: found } = readStatsSummary(content, file);
      return { objects: [summary], problems: found };
    }),
    unreadablePodNodes,
    problems,
    unusable,
  };
}
