import { quantityToNumber } from '../foundation/quantity.ts';
import { isCriticalPod } from '../kubelet/critical.ts';
import { cgroupRequest } from '../kubelet/pod-request.ts';
import { joinKey } from '../model/keys.ts';
import type { Pod } from '../model/pod.ts';
import { type ClusterSubject, clusterFindings, type NodeMemory, nodeFindings } from './cluster-findings.ts';
import { type Finding, findAll } from './finding.ts';
import { type NodeRoom, type Packing, type PodDemand, packFirstFit } from './first-fit.ts';
import { summarizeHourlyPeaks } from './hourly-peaks.ts';
import type { PlacedNode, PlacedPod, ReviewFacts, SummarizedWorkload } from './placed.ts';
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
  readonly findings: readonly Finding[];
  /** Nodes that the pods need, now and as recommended; undefined where requests or allocatable are not known. */
  readonly packing:
    | { readonly now: Packing; readonly recommended: Packing; readonly usesCpu: boolean }
    | undefined;
  /** Σ of what is requested too much, and of what is requested too little; both positive. */
  readonly freedBytes: number;
  readonly addedBytes: number;
}

export interface Review {
  readonly workloads: readonly WorkloadReview[];
  readonly nodes: readonly NodeReview[];
  readonly cluster: ClusterReview;
  /** What was not known and what that costs. */
  readonly gaps: readonly string[];
}

/** What is reviewed; a snapshot has it. */
export interface ReviewSubject {
  readonly nodes: readonly PlacedNode[];
  readonly workloads: readonly SummarizedWorkload[];
  readonly priorities: ClusterSubject['priorities'];
}

/** The whole capacity review; pure. */
export function reviewCapacity(
  { nodes, workloads, priorities }: ReviewSubject,
  facts: ReviewFacts,
  settings: SizingSettings,
): Review {
  const byWorkload = groupPods(nodes);
  const outlivedBy = outlivers(nodes);
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
  return {
    workloads: reviewed,
    nodes: nodes.map(reviewNode),
    cluster: {
      memory: sumMemory(nodes.map(memoryOfNode)),
      nodes: nodes.length,
      findings: [
        ...findAll(clusterFindings, {
          priorities: evictable(priorities, nodes),
          waitingPods: facts.waitingPods,
          largestAllocatableBytes: largest(nodes.map(({ node }) => node.allocatableBytes)),
        }),
        ...findAll(nodeFindings, sumMemory(nodes.map(memoryOfNode))),
      ],
      packing: estimateNodes(nodes, reviewed, facts),
      freedBytes: changes.reduce((sum, bytes) => sum + Math.max(0, -bytes), 0),
      addedBytes: changes.reduce((sum, bytes) => sum + Math.max(0, bytes), 0),
    },
    gaps: facts.gaps,
  };
}

/** CronJobs between two runs: they have no pod now, but a request, and peaks in the window. */
function restingWorkloads(
  workloads: readonly SummarizedWorkload[],
  { jobWorkloads, workloadHours, oomKills, hasMemoryAutoscaler }: ReviewFacts,
): SummarizedWorkload[] {
  const keyOf = ({ workload: { cluster, namespace, kind, name } }: Pick<SummarizedWorkload, 'workload'>) =>
    joinKey(cluster, namespace, kind, name);
  const living = new Set(workloads.map(keyOf));
  return jobWorkloads
    .filter((one) => one.workload.kind === 'CronJob' && !living.has(keyOf(one)))
    .map(({ workload, requestBytes }) => ({
      workload,
      isStatic: false,
      replicas: 0,
      seenReplicas: 0,
      requestBytes,
      hourly: summarizeHourlyPeaks(workloadHours(workload) ?? [], requestBytes),
      oomKills: oomKills(workload),
      hasMemoryAutoscaler: hasMemoryAutoscaler(workload),
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

/** For a Guaranteed pod: pods of a lower class on its node that are evicted after it though priority alone says so. */
function outlivers(nodes: readonly PlacedNode[]): (pod: Pod) => readonly PlacedPod[] {
  const byNode = new Map(nodes.map(({ node, pods }) => [joinKey(node.cluster, node.name), pods]));
  return (pod) =>
    pod.qosClass === 'Guaranteed'
      ? (byNode.get(joinKey(pod.cluster, pod.node)) ?? []).filter(
          ({ pod: other, now }) =>
            now.group === 'within_request' &&
            other.qosClass !== 'Guaranteed' &&
            other.priority > pod.priority,
        )
      : [];
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
  const whole = memories.filter((memory) => Object.values(memory).every((bytes) => bytes !== undefined));
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

/** Without those that are never evicted: their priority protects them by itself. */
function evictable(
  priorities: ClusterSubject['priorities'],
  nodes: readonly PlacedNode[],
): ClusterSubject['priorities'] {
  const spared = new Map<string, number>();
  const keyOf = (one: { priority: number; priorityClass: string | undefined }): string =>
    joinKey(String(one.priority), one.priorityClass);
  for (const { pod } of nodes.flatMap(({ pods }) => pods)) {
    if (isCriticalPod(pod)) spared.set(keyOf(pod), (spared.get(keyOf(pod)) ?? 0) + 1);
  }
  return priorities
    .map((one) => ({ ...one, pods: one.pods - (spared.get(keyOf(one)) ?? 0) }))
    .filter(({ pods }) => pods > 0);
}

/** Pods that each node has anyway, whatever else it runs. */
function isOfNode({ workload, isStatic }: Pod): boolean {
  return isStatic || workload.kind === 'DaemonSet';
}

function estimateNodes(
  nodes: readonly PlacedNode[],
  workloads: readonly WorkloadReview[],
  facts: ReviewFacts,
): ClusterReview['packing'] {
  const isKnown = nodes.every(
    ({ node, requestsBytes }) => node.allocatableBytes !== undefined && requestsBytes !== undefined,
  );
  if (!isKnown || nodes.length === 0) return undefined;
  const pods = nodes.flatMap((placed) => placed.pods.map(({ pod }) => pod));
  const cores = new Map(pods.map((pod) => [pod, cpuOf(pod, facts)]));
  const usesCpu =
    nodes.every(({ node }) => facts.nodeCpuCores(node) !== undefined) &&
    [...cores.values()].every((cpu) => cpu !== undefined);
  const recommended = new Map(
    workloads.flatMap(({ pods: own, recommendation: { requestBytes } }) =>
      requestBytes === undefined ? [] : own.map(({ pod }) => [pod, requestBytes] as const),
    ),
  );
  const pack = (bytesOf: (pod: Pod) => number): Packing => {
    const demandOf = (pod: Pod): PodDemand => ({
      memoryBytes: bytesOf(pod),
      cpuCores: usesCpu ? (cores.get(pod) ?? 0) : 0,
    });
    const rooms = nodes.map(({ node, pods: own }): NodeRoom => {
      const taken = own.filter(({ pod }) => isOfNode(pod)).map(({ pod }) => demandOf(pod));
      const left = (whole: number, pick: (demand: PodDemand) => number): number =>
        taken.reduce((rest, demand) => rest - pick(demand), whole);
      return {
        memoryBytes: left(node.allocatableBytes ?? 0, ({ memoryBytes }) => memoryBytes),
        cpuCores: usesCpu
          ? left(facts.nodeCpuCores(node) ?? 0, ({ cpuCores }) => cpuCores)
          : Number.POSITIVE_INFINITY,
      };
    });
    return packFirstFit(pods.filter((pod) => !isOfNode(pod)).map(demandOf), rooms);
  };
  return {
    now: pack((pod) => pod.requestBytes ?? 0),
    recommended: pack((pod) => recommended.get(pod) ?? pod.requestBytes ?? 0),
    usesCpu,
  };
}

function cpuOf(pod: Pod, facts: ReviewFacts): number | undefined {
  const spec = facts.specOf(pod);
  return spec === undefined ? undefined : quantityToNumber(cgroupRequest(spec, 'cpu'));
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
