import { inputCatalogue, inputIds } from '../../inputs/catalogue.ts';
import { minorVersion } from '../../kubelet/kubelet-version.ts';
import type { InputProblem } from '../../model/problem.ts';
import { countPods } from '../../snapshot/pod-counts.ts';
import type {
  InputState,
  RankedNode,
  RankedPod,
  Snapshot,
  WorkloadSummary,
} from '../../snapshot/snapshot.ts';
import { isPublicKind, type NameKind, nameKindOf, type Pseudonym, pseudonymsOf } from './pseudonyms.ts';

const redacted = '[redacted]';

/** Texts of this program, not of a cluster. */
const publicTexts: ReadonlySet<string> = new Set([
  ...inputIds,
  ...Object.values(inputCatalogue).flatMap(({ sources }) => sources.map(({ metric }) => metric)),
  // Inputs that are files, and settings that problems name.
  'nodes',
  'priority_classes',
  'summaries',
  'files',
  'kubernetes.priority-classes',
]);

/**
 * The snapshot with pseudonyms for every name and without any free text, safe to hand to somebody who must not know
 * the cluster; it ranks as before. Every field that may hold text is written out here: one that is new is left out
 * until somebody decides about it.
 */
export function redactSnapshot(snapshot: Snapshot): Snapshot {
  const pseudonym = pseudonymsOf(snapshot);
  return {
    evaluatedAtMs: snapshot.evaluatedAtMs,
    windowSeconds: snapshot.windowSeconds,
    windowCoverageRatio: snapshot.windowCoverageRatio,
    requestMargin: snapshot.requestMargin,
    hasClusterLabel: snapshot.hasClusterLabel,
    nodes: snapshot.nodes.map((node) => redactNode(node, pseudonym)),
    workloads: snapshot.workloads.map((workload) => redactWorkload(workload, pseudonym)),
    priorities: snapshot.priorities.map(({ priority, priorityClass, pods }) => ({
      priority,
      priorityClass: optional(pseudonym, 'class', priorityClass),
      pods,
    })),
    inputs: snapshot.inputs.map(redactInput),
    problems: snapshot.problems.map((problem) => redactProblem(problem, pseudonym)),
  };
}

function redactNode(ranked: RankedNode, pseudonym: Pseudonym): RankedNode {
  const { node } = ranked;
  const pods = ranked.pods.map((pod) => redactPod(pod, pseudonym));
  return {
    node: {
      cluster: optional(pseudonym, 'cluster', node.cluster),
      name: required(pseudonym, 'node', node.name),
      capacityBytes: node.capacityBytes,
      allocatableBytes: node.allocatableBytes,
      workingSetBytes: node.workingSetBytes,
      kubeletVersion: publicVersion(node.kubeletVersion),
      hasUsageData: node.hasUsageData,
      podsWithLostSamples: node.podsWithLostSamples,
    },
    complete: ranked.complete,
    availableBytes: ranked.availableBytes,
    thresholdBytes: ranked.thresholdBytes,
    headroomBytes: ranked.headroomBytes,
    requestsBytes: ranked.requestsBytes,
    peakBytes: ranked.peakBytes,
    qosOrderInversions: ranked.qosOrderInversions,
    podCounts: countPods(pods),
    pods,
  };
}

function redactPod({ pod, now, peak, distanceBytes, timeOverRequestRatio }: RankedPod, pseudonym: Pseudonym) {
  return {
    pod: {
      cluster: optional(pseudonym, 'cluster', pod.cluster),
      namespace: required(pseudonym, 'namespace', pod.namespace),
      name: required(pseudonym, 'pod', pod.name),
      uid: optional(pseudonym, 'uid', pod.uid),
      node: required(pseudonym, 'node', pod.node),
      phase: pod.phase,
      qosClass: pod.qosClass,
      priority: pod.priority,
      priorityClass: optional(pseudonym, 'class', pod.priorityClass),
      isStatic: pod.isStatic,
      workload: redactWorkloadName(pod.workload, pseudonym),
      usageBytes: pod.usageBytes,
      requestBytes: pod.requestBytes,
    },
    now,
    peak,
    distanceBytes,
    timeOverRequestRatio,
  };
}

function redactWorkload(summary: WorkloadSummary, pseudonym: Pseudonym): WorkloadSummary {
  const { workload } = summary;
  return {
    workload: {
      cluster: optional(pseudonym, 'cluster', workload.cluster),
      namespace: required(pseudonym, 'namespace', workload.namespace),
      ...redactWorkloadName(workload, pseudonym),
    },
    isStatic: summary.isStatic,
    replicas: summary.replicas,
    seenReplicas: summary.seenReplicas,
    requestBytes: summary.requestBytes,
    peakBytes: summary.peakBytes,
    hourly: summary.hourly,
    oomKills: summary.oomKills,
    hasMemoryAutoscaler: summary.hasMemoryAutoscaler,
    leak: summary.leak,
    initNeedBytes: summary.initNeedBytes,
    recommendedRequestBytes: summary.recommendedRequestBytes,
    abstention: summary.abstention,
  };
}

function redactWorkloadName({ kind, name }: { kind: string; name: string }, pseudonym: Pseudonym) {
  return {
    kind: isPublicKind(kind) ? kind : required(pseudonym, 'kind', kind),
    name: required(pseudonym, nameKindOf(kind), name),
  };
}

function redactInput({ id, outcome, source, series, error }: InputState): InputState {
  return {
    id: publicOnly(id),
    outcome,
    source: source === undefined ? undefined : publicOnly(source),
    series,
    // It may quote a URL, a file or an answer.
    error: error === undefined ? undefined : redacted,
  };
}

/** The kind says what is wrong, and is enough to find the sentence in the code. */
function redactProblem({ kind, subject }: InputProblem, pseudonym: Pseudonym): InputProblem {
  const name = pseudonym('node', subject) ?? pseudonym('class', subject);
  return { kind, subject: name ?? publicOnly(subject), message: redacted, remedy: redacted };
}

/** `v1.30` of `v1.30.1-acme`: enough to choose the rules, and without the name of whoever built it. */
function publicVersion(version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  const minor = minorVersion(version);
  return minor === undefined ? redacted : `v1.${minor}`;
}

function publicOnly(text: string): string {
  return publicTexts.has(text) ? text : redacted;
}

function required(pseudonym: Pseudonym, kind: NameKind, name: string): string {
  return pseudonym(kind, name) ?? redacted;
}

function optional(pseudonym: Pseudonym, kind: NameKind, name: string | undefined): string | undefined {
  return name === undefined ? undefined : required(pseudonym, kind, name);
}
