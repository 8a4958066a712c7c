import { joinKey } from '../model/keys.ts';
import type { InputProblem } from '../model/problem.ts';
import { type ClusterSubject, clusterFindings, type NodeMemory, nodeFindings } from './cluster-findings.ts';
import { type Finding, findAll } from './finding.ts';
import { summarizeHourlyPeaks } from './hourly-peaks.ts';
import { estimateNodes, type NodesNeeded } from './nodes-needed.ts';
import type { PlacedNode, PlacedPod, ReviewFacts, ReviewSource, SummarizedWorkload } from './placed.ts';
import { evictablePriorities, outlivers } from './priorities.ts';
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
  const estimate = facts.source === 'snapshot' ? undefined : estimateNodes(nodes, reviewed, facts);
  return {
    source: facts.source,
    workloadCount: reviewed.length,
    workloads: reviewed,
    nodes: nodes.map(reviewNode),
    cluster: {
      memory: sumMemory(nodes.map(memoryOfNode)),
      nodes: nodes.length,
      measuredNodes: nodes.map(memoryOfNode).filter(isWhole).length,
      findings: [
        ...findAll(clusterFindings, {
          ...evictablePriorities(priorities, nodes, unmapped),
          waitingPods: facts.waitingPods,
          largestAllocatableBytes: largest(nodes.map(({ node }) => node.allocatableBytes)),
        }),
        ...findAll(nodeFindings, sumMemory(nodes.map(memoryOfNode))),
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

/** CronJobs between two runs: they have no pod now, but a request, and peaks in the window. */
function restingWorkloads(
  workloads: readonly SummarizedWorkload[],
  { restingCronJobs, workloadHours, oomKills, hasMemoryAutoscaler }: ReviewFacts,
): SummarizedWorkload[] {
  const keyOf = ({ workload: { cluster, namespace, kind, name } }: Pick<SummarizedWorkload, 'workload'>) =>
    joinKey(cluster, namespace, kind, name);
  const living = new Set(workloads.map(keyOf));
  return restingCronJobs
    .filter((one) => !living.has(keyOf(one)))
    .map(({ workload, requestBytes }) => ({
      workload,
      isStatic: false,
      replicas: 0,
      seenReplicas: 0,
      requestBytes,
      hourly: summarizeHourlyPeaks(workloadHours(workload) ?? [], requestBytes),
      oomKills: oomKills(workload),
      hasMemoryAutoscaler: hasMemoryAutoscaler(workload),
      initNeedBytes: undefined,
      leak: undefined,
    }));
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

function memoryOfNode({ node, requestsBytes, pods }: PlacedNode): NodeMemory {
  const { capacityBytes, allocatableBytes, workingSetBytes, hasUsageData } = node;
  return {
    capacityBytes,
    allocatableBytes,
    requestsBytes,
    workingSetBytes,
    // A pod or two without stats do not change the picture; a node without any has none.
    podsBytes: hasUsageData ? pods.reduce((sum, { pod }) => sum + (pod.usageBytes ?? 0), 0) : undefined,
  };
}

/** Sums over the nodes of which all is known, so that the sums can be compared. */
function sumMemory(memories: readonly NodeMemory[]): NodeMemory {
  const whole = memories.filter(isWhole);
  const sum = (pick: (memory: NodeMemory) => number | undefined): number | undefined =>
    whole.length === 0 ? undefined : whole.reduce((total, memory) => total + (pick(memory) ?? 0), 0);
  return {
    capacityBytes: sum(({ capacityBytes }) => capacityBytes),
    allocatableBytes: sum(({ allocatableBytes }) => allocatableBytes),
    requestsBytes: sum(({ requestsBytes }) => requestsBytes),
    workingSetBytes: sum(({ workingSetBytes }) => workingSetBytes),
    podsBytes: sum(({ podsBytes }) => podsBytes),
  };
}

function isWhole(memory: NodeMemory): boolean {
  return Object.values(memory).every((bytes) => bytes !== undefined);
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
