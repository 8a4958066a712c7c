import { compareText } from '../../foundation/text-order.ts';
import type { ComparatorGroup, DecidedBy } from '../../kubelet/candidate.ts';
import type { QosClass } from '../../kubelet/qos-class.ts';
import type { Basis, RankedNode, RankedPod } from '../../snapshot/snapshot.ts';

/** One pod of a ladder, as the API and `evictrank rank --output json` print it. Absent numbers are null. */
export interface LadderPod {
  readonly rank: number | null;
  readonly namespace: string;
  readonly pod: string;
  readonly group: ComparatorGroup | null;
  readonly decidedBy: DecidedBy | null;
  readonly tied: boolean;
  readonly priority: number;
  readonly qosClass: QosClass | null;
  readonly usageBytes: number | null;
  readonly requestBytes: number | null;
  readonly overRequestBytes: number | null;
  /** Basis now, whatever basis the ladder has. */
  readonly distanceBytes: number | null;
}

/** One node with its pods in eviction order, protected ones last. */
export interface Ladder {
  readonly cluster?: string;
  readonly node: string;
  readonly complete: boolean;
  readonly availableBytes: number | null;
  readonly thresholdBytes: number | null;
  readonly pods: readonly LadderPod[];
}

export function ladderOf(ranked: RankedNode, basis: Basis): Ladder {
  return {
    ...clusterField(ranked.node.cluster),
    node: ranked.node.name,
    complete: ranked.complete,
    availableBytes: ranked.availableBytes ?? null,
    thresholdBytes: ranked.thresholdBytes ?? null,
    pods: (basis === 'now' ? ranked.pods : inPeakOrder(ranked.pods)).map((pod) => ladderPodOf(pod, basis)),
  };
}

export function ladderPodOf(ranked: RankedPod, basis: Basis): LadderPod {
  const { pod, distanceBytes } = ranked;
  const place = ranked[basis];
  return {
    rank: place.rank ?? null,
    namespace: pod.namespace,
    pod: pod.name,
    group: place.group ?? null,
    decidedBy: place.decidedBy ?? null,
    tied: place.tied,
    priority: pod.priority,
    qosClass: pod.qosClass ?? null,
    usageBytes: place.usageBytes ?? null,
    requestBytes: pod.requestBytes ?? null,
    overRequestBytes: place.overRequestBytes ?? null,
    distanceBytes: distanceBytes ?? null,
  };
}

/** `cluster` is there only where a cluster label is configured. */
export function clusterField(cluster: string | undefined): { cluster?: string } {
  return cluster === undefined ? {} : { cluster };
}

function inPeakOrder(pods: readonly RankedPod[]): readonly RankedPod[] {
  // Infinity minus itself is NaN, so pods without a rank get the largest one that still subtracts.
  const rankOf = ({ peak }: RankedPod): number => peak.rank ?? Number.MAX_SAFE_INTEGER;
  return pods.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      compareText(a.pod.namespace, b.pod.namespace) ||
      compareText(a.pod.name, b.pod.name),
  );
}
