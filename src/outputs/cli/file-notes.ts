import type { ClusterFiles } from '../../inputs/kubernetes/cluster-files.ts';
import { describeFileProblem } from '../../inputs/kubernetes/file-problem.ts';
import type { KubernetesCluster } from '../../model/kubernetes/kubernetes-cluster.ts';

/** What a reader should know of the files, one line each. */
export function fileNotes(files: ClusterFiles, joined: KubernetesCluster): string[] {
  const { leftOut, unmentioned, strangers, partialNodes } = joined;
  const notes = [...files.unusable, ...files.problems].map(describeFileProblem);
  if (unmentioned.length > 0) {
    notes.push(
      `${count(unmentioned, 'pod')} in no summary: the kubelet has no stats of ${unmentioned.length === 1 ? 'it' : 'them'} either and takes ${unmentioned.length === 1 ? 'it' : 'them'} first: ${firstFew(unmentioned)}`,
    );
  }
  if (strangers.length > 0) {
    notes.push(
      `stats of ${count(strangers, 'pod')} that --pods does not have, so the order misses ${strangers.length === 1 ? 'it' : 'them'}: ${firstFew(strangers)}`,
    );
  }
  if (partialNodes.size > 0) {
    notes.push(
      `no distances on ${firstFew([...partialNodes])}: a pod there could not be read, and would count in every sum`,
    );
  }
  const reasons = [
    [leftOut.finished, 'finished'],
    [leftOut.unscheduled, 'not scheduled'],
    [leftOut.newerThanSummary, 'started after the summary was taken'],
    [leftOut.withoutSummary, 'on nodes without a --summary'],
    [files.unreadablePodNodes, 'unreadable'],
  ] as const;
  const parts = reasons.filter(([pods]) => pods.length > 0).map(([pods, why]) => `${pods.length} ${why}`);
  const total = reasons.reduce((sum, [pods]) => sum + pods.length, 0);
  if (total > 0) notes.push(`${total} ${total === 1 ? 'pod' : 'pods'} left out: ${parts.join(', ')}`);
  return notes;
}

function count(list: readonly string[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
}

function firstFew(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown}, …` : shown;
}
