import type { Finding } from '../../review/finding.ts';
import { abstentions } from '../../review/recommendation.ts';
import type { NodeReview, Review, WorkloadReview } from '../../review/review.ts';
import { clusterField } from '../api/ladder.ts';

/** One workload as JSON and CSV have it: absent numbers are null. */
export interface ReviewRow {
  readonly cluster?: string;
  readonly namespace: string;
  readonly workloadKind: string;
  readonly workload: string;
  readonly replicas: number;
  readonly requestBytes: number | null;
  readonly peakBytes: number | null;
  readonly p99Bytes: number | null;
  readonly p95Bytes: number | null;
  readonly timeOverRequestRatio: number | null;
  readonly oomKills: number | null;
  readonly recommendedRequestBytes: number | null;
  /** Share on top of the peak that was used. */
  readonly margin: number | null;
  /** What lifted the recommendation above peak + margin. */
  readonly floor: string | null;
  readonly confidence: string | null;
  readonly observedHours: number;
  /** Why nothing is recommended. */
  readonly noRecommendation: string | null;
  /** For all replicas: negative = freed, positive = added. */
  readonly changeBytes: number | null;
  readonly podsLeavingFirstGroup: number | null;
  readonly qosBefore: string | null;
  readonly qosAfter: string | null;
}

/** The row with what does not fit into a line. */
export interface ReviewedWorkload extends ReviewRow {
  /** What the containers request together once they are patched. */
  readonly patchedRequestBytes: number | null;
  readonly containers: readonly {
    readonly name: string;
    readonly requestBytes: number | null;
    readonly limitBytes: number | null;
    readonly peakBytes: number | null;
    readonly p99Bytes: number | null;
    readonly p95Bytes: number | null;
    readonly recommendedRequestBytes: number | null;
    readonly recommendedLimitBytes: number | null;
    /** The limit would be lower if the peaks of the container were known for longer. */
    readonly isLimitHeld: boolean;
  }[];
  readonly findings: readonly Finding[];
}

export function reviewRow(review: WorkloadReview): ReviewRow {
  const { workload, hourly, recommendation, effect } = review;
  const given = recommendation.abstention === undefined ? recommendation : undefined;
  return {
    ...clusterField(workload.cluster),
    namespace: workload.namespace,
    workloadKind: workload.kind,
    workload: workload.name,
    replicas: review.replicas,
    requestBytes: review.requestBytes ?? null,
    peakBytes: hourly?.peakBytes ?? null,
    p99Bytes: hourly?.p99Bytes ?? null,
    p95Bytes: hourly?.p95Bytes ?? null,
    timeOverRequestRatio: hourly?.timeOverRequestRatio ?? null,
    oomKills: review.oomKills ?? null,
    recommendedRequestBytes: given?.requestBytes ?? null,
    margin: given?.margin ?? null,
    floor: given?.floor ?? null,
    confidence: review.confidence ?? null,
    observedHours: hourly?.observedHours ?? 0,
    noRecommendation: recommendation.abstention === undefined ? null : abstentions[recommendation.abstention],
    changeBytes: effect?.changeBytes ?? null,
    podsLeavingFirstGroup: effect?.podsLeavingFirstGroup ?? null,
    qosBefore: effect?.qosBefore ?? review.pods[0]?.pod.qosClass ?? null,
    qosAfter: effect?.qosAfter ?? null,
  };
}

export function reviewedWorkload(review: WorkloadReview): ReviewedWorkload {
  return {
    ...reviewRow(review),
    patchedRequestBytes: review.patchedRequestBytes ?? null,
    containers: review.containers.map((container) => ({
      name: container.name,
      requestBytes: container.requestBytes ?? null,
      limitBytes: container.limitBytes ?? null,
      peakBytes: container.peakBytes ?? null,
      p99Bytes: container.p99Bytes ?? null,
      p95Bytes: container.p95Bytes ?? null,
      recommendedRequestBytes: container.recommendedRequestBytes ?? null,
      recommendedLimitBytes: container.recommendedLimitBytes ?? null,
      isLimitHeld: container.isLimitHeld,
    })),
    findings: review.findings,
  };
}

/** The whole review as `--output json` prints it. */
export function reviewDocument(
  { source, workloads, nodes, cluster, gaps, findingGaps }: Review,
  evaluatedAtMs: number,
) {
  return {
    evaluatedAt: new Date(evaluatedAtMs).toISOString(),
    source,
    gaps: [...gaps, ...findingGaps],
    cluster: {
      ...memoryOf(cluster.memory),
      nodes: cluster.nodes,
      measuredNodes: cluster.measuredNodes,
      freedBytes: cluster.freedBytes,
      addedBytes: cluster.addedBytes,
      nodesNeeded: cluster.nodesNeeded ?? null,
      findings: cluster.findings,
    },
    nodes: nodes.map((node) => ({
      ...clusterField(node.cluster),
      node: node.name,
      pods: node.pods,
      ...memoryOf(node),
      findings: node.findings,
    })),
    workloads: workloads.map(reviewedWorkload),
  };
}

function memoryOf(memory: Review['cluster']['memory'] | NodeReview) {
  return {
    allocatableBytes: memory.allocatableBytes ?? null,
    requestsBytes: memory.requestsBytes ?? null,
    podsBytes: memory.podsBytes ?? null,
    workingSetBytes: memory.workingSetBytes ?? null,
    capacityBytes: memory.capacityBytes ?? null,
  };
}
