import { quantityToNumber } from '../../foundation/quantity.ts';
import type { ClusterFiles } from '../../inputs/kubernetes/cluster-files.ts';
import type { KubernetesPod } from '../../inputs/kubernetes/pod-object.ts';
import type { NodeStats, StatsSummary } from '../../inputs/kubernetes/stats-summary.ts';
import { withApiDefaults } from '../../kubelet/api-defaults.ts';
import { isCriticalPod } from '../../kubelet/critical.ts';
import { podRequest } from '../../kubelet/pod-request.ts';
import { computeQosClass } from '../../kubelet/qos.ts';
import type { Cluster } from '../cluster.ts';
import { joinKey } from '../keys.ts';
import type { WorkloadRef } from '../pod.ts';
import { type ClassPriority, classPriorities } from '../priority.ts';
import { buildKubernetesNodes } from './kubernetes-nodes.ts';
import { type PodResources, workingSet } from './pod-resources.ts';
import { statsLookup } from './stats-lookup.ts';

/** Pods that are not ranked and pods worth a word, by why; `namespace/name`. */
export interface LeftOutPods {
  /** Phase Succeeded or Failed: the kubelet does not rank them either. */
  readonly finished: readonly string[];
  readonly unscheduled: readonly string[];
  /** Started after the summary was taken, so that their absence from it says nothing. */
  readonly newerThanSummary: readonly string[];
  /** On nodes without a summary. */
  readonly withoutSummary: readonly string[];
}

export interface KubernetesCluster {
  readonly cluster: Cluster;
  /** By node name, in the order of the node's pods. */
  readonly resources: ReadonlyMap<string, readonly PodResources[]>;
  readonly nodeStats: ReadonlyMap<string, NodeStats>;
  readonly leftOut: LeftOutPods;
  /** Running pods that the summary of their node does not mention: ranked, for the kubelet has no stats either. */
  readonly unmentioned: readonly string[];
  /** Stats of pods that no pods file has, and which are therefore missing from the order. */
  readonly strangers: readonly string[];
  /** Nodes on which a pod could not be read. */
  readonly partialNodes: ReadonlySet<string>;
}

/** Joins the files into the same cluster that series make; exact amounts stay beside it. */
export function buildKubernetesCluster(
  files: ClusterFiles,
  settings: { readonly priorityClasses: ReadonlyMap<string, number>; readonly evaluatedAtMs: number },
): KubernetesCluster {
  // A summary given twice for one node: the last one counts.
  const summaries = new Map(files.summaries.map((summary) => [summary.node.nodeName, summary]));
  const lookups = new Map([...summaries].map(([node, summary]) => [node, statsLookup(summary)]));
  const priorities = classPriorities(settings.priorityClasses);
  const leftOut: Record<keyof LeftOutPods, string[]> = {
    finished: [],
    unscheduled: [],
    newerThanSummary: [],
    withoutSummary: [],
  };
  const unmentioned: string[] = [];
  const resources = new Map<string, PodResources[]>();
  for (const pod of withoutRepeats(files.pods)) {
    const { node } = pod;
    const name = `${pod.namespace}/${pod.name}`;
    if (isFinished(pod)) leftOut.finished.push(name);
    else if (node === undefined) leftOut.unscheduled.push(name);
    else {
      const stats = lookups.get(node)?.statsOf(pod);
      if (stats === undefined) {
        const summary = summaries.get(node);
        if (summary === undefined) leftOut.withoutSummary.push(name);
        else if (isNewer(pod, summary)) {
          leftOut.newerThanSummary.push(name);
          continue;
        } else if (pod.phase !== 'Pending') unmentioned.push(name);
      }
      const there = resources.get(node) ?? [];
      resources.set(node, there);
      there.push(podResources(pod, node, { stats, priorities }));
    }
  }
  return {
    cluster: {
      evaluatedAtMs: settings.evaluatedAtMs,
      nodes: buildKubernetesNodes(files.nodes, summaries, resources),
      finishedPods: [],
      // Files show one moment, and no request is recommended from one.
      initNeedBytes: new Map(),
      problems: priorities.problems(),
    },
    resources,
    nodeStats: new Map([...summaries].map(([name, { node }]) => [name, node])),
    leftOut,
    unmentioned,
    strangers: findStrangers(files.pods, summaries.values()),
    partialNodes: new Set(files.unreadablePodNodes.filter((node) => node !== undefined)),
  };
}

function isFinished({ phase }: KubernetesPod): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

function isNewer({ startedAtMs }: KubernetesPod, { node }: StatsSummary): boolean {
  const takenAtMs = node.memory?.time;
  return startedAtMs !== undefined && takenAtMs !== undefined && startedAtMs > takenAtMs;
}

/** The same pod in two files, such as those of two nodes it moved between: the later file is taken to be newer. */
function withoutRepeats(pods: readonly KubernetesPod[]): Iterable<KubernetesPod> {
  return new Map(pods.map((pod) => [joinKey(pod.namespace, pod.name), pod])).values();
}

function podResources(
  object: KubernetesPod,
  node: string,
  { stats, priorities }: { stats: PodResources['stats']; priorities: ClassPriority },
): PodResources {
  // A pod out of a cluster has the defaults already; a manifest gets them on its way to the kubelet.
  const spec = withApiDefaults(object.spec);
  return {
    pod: {
      cluster: undefined,
      namespace: object.namespace,
      name: object.name,
      uid: object.uid,
      node,
      // A lost node leaves its pods in phase Unknown; the kubelet ranks whatever has not finished.
      phase: object.phase === 'Pending' ? 'Pending' : 'Running',
      qosClass: object.qosClass ?? computeQosClass(spec),
      // The API server writes the value of the class into every pod; only a manifest has the name alone.
      priority: object.priority ?? priorities.priorityOf(object.priorityClass),
      priorityClass: object.priorityClass,
      isStatic: isCriticalPod({ annotations: object.annotations, isStatic: object.isOwnedByNode }),
      workload: workloadOf(object),
      usageBytes: stats === undefined ? undefined : Number(workingSet(stats)),
      requestBytes: quantityToNumber(podRequest(spec, 'memory')),
    },
    spec,
    volumes: object.volumes,
    reportedQosClass: object.qosClass,
    stats,
  };
}

/** A Deployment names its ReplicaSets after the hash that is a label of their pods. */
function workloadOf({ name, owner, labels }: KubernetesPod): WorkloadRef {
  if (owner === undefined) return { kind: 'Pod', name };
  const hash = labels['pod-template-hash'];
  const suffix = `-${hash ?? ''}`;
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(suffix)
    ? { kind: 'Deployment', name: owner.name.slice(0, -suffix.length) }
    : { kind: owner.kind, name: owner.name };
}

function findStrangers(pods: readonly KubernetesPod[], summaries: Iterable<StatsSummary>): string[] {
  const known = new Set(pods.map((pod) => joinKey(pod.namespace, pod.name)));
  return [...summaries].flatMap((summary) =>
    summary.pods
      .filter(({ namespace, name }) => !known.has(joinKey(namespace, name)))
      .map(({ namespace, name }) => `${namespace}/${name}`),
  );
}
