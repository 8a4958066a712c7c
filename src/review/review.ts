import { joinKey } from '../model/keys.ts';
import type { InputProblem } from '../model/problem.ts';
import { type ClusterSubject, clusterFindings, nodeFindings } from './cluster-findings.ts';
import { type Finding, findAll } from './finding.ts';
import { isWhole, memoryOfNode, type NodeMemory, sumMemory } from './node-memory.ts';
import { estimateNodes, type NodesNeeded } from './nodes-needed.ts';
import type { PlacedNode, PlacedPod, ReviewFacts, ReviewSource, SummarizedWorkload } from './placed.ts';
import { evictablePriorities, outlivers } from './priorities.ts';
import { restingWorkloads } from './resting-workloads.ts';
import { type WorkloadFindingId, workloadFindings } from './workload-findings.ts';
import { type SizedWorkload, type SizingSettings, sizeWorkload } from './workload-review.ts';

export interface WorkloadReview extends SizedWorkload {
  readonly findings: readonly Finding<WorkloadFindingId>[];
}

export interface NodeReview extends NodeMemory {
  readonly cluster: string | undefined;
  readonly name: string;
  readonly pods: number;
  readonly findings: readonly Finding[];
}

export interface ClusterReview {
  readonly memory: NodeMemory;
  readonly nodes: number;
  /** Nodes of which all is known: the sums of `memory` are theirs. */
  readonly measuredNodes: number;
  readonly findings: readonly Finding[];
  /** Undefined where something that decides it is not known. */
  readonly nodesNeeded: NodesNeeded | undefined;
  /** Σ of what is requested too much, and of what is requested too little; both positive. */
  readonly freedBytes: number;
  readonly addedBytes: number;
}

export interface Review {
  readonly source: ReviewSource;
  /** Those of the whole cluster, of which `workloads` may be a choice. */
  readonly workloadCount: number;
  readonly workloads: readonly WorkloadReview[];
  readonly nodes: readonly NodeReview[];
  readonly cluster: ClusterReview;
  /** What was not known and what that costs. */
  readonly gaps: readonly string[];
  /** The same, where it concerns findings and the number of nodes, but no size. */
  readonly findingGaps: readonly string[];
}

/** What is reviewed; a snapshot has it. */
export interface ReviewSubject {
  readonly nodes: readonly PlacedNode[];
  readonly workloads: readonly SummarizedWorkload[];
  readonly priorities: ClusterSubject['priorities'];
  readonly problems: readonly InputProblem[];
}

/** The whole capacity review; pure. */
export function reviewCapacity(
  { nodes, workloads, priorities, problems }: ReviewSubject,
  facts: ReviewFacts,
  settings: SizingSettings,
): Review {
  const byWorkload = groupPods(nodes);
  const unmapped = new Set(
    problems.filter(({ kind }) => kind === 'priority_class_unmapped').map(({ subject }) => subject),
  );
  const outlivedBy = outlivers(nodes, unmapped);
  const reviewed = [...workloads, ...restingWorkloads(workloads, facts)].map((summary): WorkloadReview => {
    const { cluster, namespace, kind, name } = summary.workload;
    const pods = byWorkload.get(joinKey(cluster, namespace, kind, name)) ?? [];
    const sized = sizeWorkload(summary, pods, facts, settings);
    if (summary.isStatic) return { ...sized, findings: [] };
    const findings = findAll(workloadFindings, {
      ...sized,
      defaultRequestsBytes: facts.defaultRequestsBytes(summary.workload),
      outlivedBy: [...new Set(pods.flatMap(({ pod }) => outlivedBy(pod)))],
    });
    return { ...sized, findings };
  });
  const changes = reviewed.map(({ effect }) => effect?.changeBytes ?? 0);
  const memories = nodes.map(memoryOfNode);
  const clusterMemory = sumMemory(memories);
  const estimate = facts.source === 'snapshot' ? undefined : estimateNodes(nodes, reviewed, facts);
  return {
    source: facts.source,
    workloadCount: reviewed.length,
    workloads: reviewed,
    nodes: nodes.map(reviewNode),
    cluster: {
      memory: clusterMemory,
      nodes: nodes.length,
      measuredNodes: memories.filter(isWhole).length,
      findings: [
        ...findAll(clusterFindings, {
          ...evictablePriorities(priorities, nodes, unmapped),
          waitingPods: facts.waitingPods,
          largestAllocatableBytes: largest(nodes.map(({ node }) => node.allocatableBytes)),
        }),
        ...findAll(nodeFindings, clusterMemory),
      ],
      nodesNeeded: estimate === undefined || 'unknown' in estimate ? undefined : estimate,
      freedBytes: changes.reduce((sum, bytes) => sum + Math.max(0, -bytes), 0),
      addedBytes: changes.reduce((sum, bytes) => sum + Math.max(0, bytes), 0),
    },
    gaps: [
      ...facts.gaps,
      ...problems.filter(({ subject }) => subject === 'workloads').map(({ message }) => message),
    ],
    findingGaps: [
      ...(estimate !== undefined && 'unknown' in estimate
        ? [`The number of nodes needed is not estimated: ${estimate.unknown} is not known.`]
        : []),
      ...(unmapped.size > 0
        ? [
            `Nobody told the values of these PriorityClasses, so findings about priorities leave their pods out: ${[...unmapped].join(', ')} (--priority-classes).`,
          ]
        : []),
    ],
  };
}

function groupPods(nodes: readonly PlacedNode[]): ReadonlyMap<string, readonly PlacedPod[]> {
  const groups = new Map<string, PlacedPod[]>();
  for (const placed of nodes.flatMap(({ pods }) => pods)) {
    const { cluster, namespace, workload } = placed.pod;
    const key = joinKey(cluster, namespace, workload.kind, workload.name);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [placed]);
    else own.push(placed);
  }
  return groups;
}

function reviewNode(placed: PlacedNode): NodeReview {
  const memory = memoryOfNode(placed);
  return {
    ...memory,
    cluster: placed.node.cluster,
    name: placed.node.name,
    pods: placed.pods.length,
    findings: findAll(nodeFindings, memory),
  };
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
