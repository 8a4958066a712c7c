import { compareText } from '../../foundation/text-order.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** What names are of; the kind is the first part of a pseudonym. */
const nameKinds = ['cluster', 'namespace', 'node', 'pod', 'uid', 'workload', 'kind', 'class'] as const;
export type NameKind = (typeof nameKinds)[number];

/** The pseudonym of a name; undefined for one that was not collected. */
export type Pseudonym = (kind: NameKind, name: string) => string | undefined;

/** Kinds of Kubernetes itself and of its common additions; others may be somebody's own. */
const publicWorkloadKinds = new Set([
  'Pod',
  'Node',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/**
 * One pseudonym for each name, whatever place it is in: `pod_007`. They sort as the names do, so that pods that tie
 * stay in their order; the names themselves cannot be told from them. No name of Kubernetes has an underscore, so none
 * looks like one.
 */
export function pseudonymsOf(snapshot: Snapshot): Pseudonym {
  const names = collectNames(snapshot);
  const pseudonyms = new Map<NameKind, ReadonlyMap<string, string>>();
  for (const kind of nameKinds) {
    const sorted = [...names[kind]].sort(compareText);
    const width = String(sorted.length).length;
    const number = (index: number): string => `${kind}_${String(index + 1).padStart(width, '0')}`;
    pseudonyms.set(kind, new Map(sorted.map((name, index) => [name, number(index)])));
  }
  return (kind, name) => pseudonyms.get(kind)?.get(name);
}

export function isPublicKind(kind: string): boolean {
  return publicWorkloadKinds.has(kind);
}

/** A workload that is its pod, or the node of a static pod, has the name of that. */
export function nameKindOf(workloadKind: string): NameKind {
  if (workloadKind === 'Pod') return 'pod';
  return workloadKind === 'Node' ? 'node' : 'workload';
}

function collectNames(snapshot: Snapshot): Readonly<Record<NameKind, ReadonlySet<string>>> {
  const names = Object.fromEntries(nameKinds.map((kind) => [kind, new Set<string>()])) as Record<
    NameKind,
    Set<string>
  >;
  const add = (kind: NameKind, name: string | undefined): void => {
    if (name !== undefined) names[kind].add(name);
  };
  const addWorkload = (workload: { readonly kind: string; readonly name: string }): void => {
    if (!isPublicKind(workload.kind)) add('kind', workload.kind);
    add(nameKindOf(workload.kind), workload.name);
  };
  for (const { node, pods } of snapshot.nodes) {
    add('cluster', node.cluster);
    add('node', node.name);
    for (const { pod } of pods) {
      add('cluster', pod.cluster);
      add('namespace', pod.namespace);
      add('pod', pod.name);
      add('uid', pod.uid);
      add('node', pod.node);
      add('class', pod.priorityClass);
      addWorkload(pod.workload);
    }
  }
  for (const { workload } of snapshot.workloads) {
    add('cluster', workload.cluster);
    add('namespace', workload.namespace);
    addWorkload(workload);
  }
  for (const { priorityClass } of snapshot.priorities) add('class', priorityClass);
  return names;
}
