import type { Clock } from '../../foundation/clock.ts';
import { EvictrankError } from '../../foundation/errors.ts';
import { type ClusterFiles, readClusterFiles } from '../../inputs/kubernetes/cluster-files.ts';
import { describeFileProblem } from '../../inputs/kubernetes/file-problem.ts';
import { buildKubernetesCluster, type KubernetesCluster } from '../../model/kubernetes/kubernetes-cluster.ts';
import type { InputProblem } from '../../model/problem.ts';
import { buildKubernetesSnapshot } from '../../snapshot/kubernetes-snapshot.ts';
import type { InputState, Snapshot } from '../../snapshot/snapshot.ts';
import { readSnapshotFile } from '../snapshot-file/read.ts';
import { fileNotes } from './file-notes.ts';
import { askPrometheus } from './prometheus-source.ts';
import type { Source } from './source-options.ts';
import type { Progress } from './terminal.ts';

/** The data of one run. */
export interface Loaded {
  readonly snapshot: Snapshot;
  /** Everything the files say, exact; undefined for the other sources. */
  readonly kubernetes: KubernetesCluster | undefined;
  /** What a reader should know, one line each. */
  readonly notes: readonly string[];
  /** Some file could not be used at all, though others could. */
  readonly isDamaged: boolean;
}

/** None of the files needed could be used; the message has one line for each. */
export class UnusableFilesError extends EvictrankError {
  override readonly name = 'UnusableFilesError';
}

export interface LoadDeps {
  readonly clock: Clock;
  readonly progress: Progress;
  /** Whether peaks are wanted: they are costly to ask for. */
  readonly needsWindow: boolean;
}

/** @throws UnusableFilesError, SnapshotReadError, PrometheusError, NoPodsError */
export async function loadSource(source: Source, deps: LoadDeps): Promise<Loaded> {
  try {
    switch (source.kind) {
      case 'files':
        return await loadFiles(source, deps);
      case 'snapshot': {
        deps.progress.show(`reading ${source.file}`);
        const snapshot = await readSnapshotFile(source.file);
        return { snapshot, kubernetes: undefined, notes: problemNotes(snapshot.problems), isDamaged: false };
      }
      case 'prometheus': {
        const priorityClasses = await readPriorityClasses(source.priorityClassFiles);
        const snapshot = await askPrometheus({ ...source, priorityClasses }, deps);
        return { snapshot, kubernetes: undefined, notes: problemNotes(snapshot.problems), isDamaged: false };
      }
    }
  } finally {
    deps.progress.clear();
  }
}

async function loadFiles(
  { config, files: names }: Extract<Source, { kind: 'files' }>,
  { clock, progress }: LoadDeps,
): Promise<Loaded> {
  const files = await readClusterFiles(names, (file) => progress.show(`reading ${file}`));
  const { unusable } = files;
  const isWithout = (wanted: readonly string[]): boolean =>
    wanted.every((name) => unusable.some(({ file }) => file === name));
  if (isWithout(names.pods) || isWithout(names.summaries)) {
    throw new UnusableFilesError(unusable.map(describeFileProblem).join('\n'));
  }
  progress.show('ranking');
  const priorityClasses = new Map([...classMap(files), ...config.priorityClasses]);
  const kubernetes = buildKubernetesCluster(files, { priorityClasses, evaluatedAtMs: clock() });
  const snapshot = buildKubernetesSnapshot(kubernetes, {
    threshold: config.kubeletMemoryThreshold,
    windowMs: config.windowMs,
    requestMargin: config.reviewMargin,
    inputs: fileStates(files),
  });
  return {
    snapshot,
    kubernetes,
    notes: [...fileNotes(files, kubernetes), ...problemNotes(snapshot.problems)],
    isDamaged: unusable.length > 0,
  };
}

/** PriorityClasses of files alone, for a source that has its own pods. @throws UnusableFilesError */
export async function readPriorityClasses(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const read = await readClusterFiles({ pods: [], nodes: [], summaries: [], priorityClasses: files });
  const problems = [...read.unusable, ...read.problems];
  if (problems.length > 0) throw new UnusableFilesError(problems.map(describeFileProblem).join('\n'));
  return classMap(read);
}

function classMap({ priorityClasses }: ClusterFiles): ReadonlyMap<string, number> {
  return new Map(priorityClasses.map(({ name, value }) => [name, value]));
}

function fileStates({ pods, nodes, priorityClasses, summaries }: ClusterFiles): InputState[] {
  const state = (id: string, found: readonly unknown[]): InputState => ({
    id,
    outcome: found.length > 0 ? 'ok' : 'empty',
    source: 'files',
    series: found.length,
    error: undefined,
  });
  return [
    state('pods', pods),
    state('nodes', nodes),
    state('priority_classes', priorityClasses),
    state('summaries', summaries),
  ];
}

/** Enough to act on; the rest would bury them. */
const shownProblems = 5;

export function problemNotes(problems: readonly InputProblem[]): string[] {
  const notes = problems.map(({ message, remedy }) => `${message} (${remedy})`);
  if (notes.length <= shownProblems) return notes;
  const more = notes.length - shownProblems + 1;
  return [...notes.slice(0, shownProblems - 1), `${more} more like these; evictrank check shows them all`];
}
