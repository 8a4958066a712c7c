import { quantityToNumber } from '../foundation/quantity.ts';
import { podRequest } from '../kubelet/pod-request.ts';
import type { PodSpec } from '../kubelet/pod-spec.ts';
import { computeQosClass } from '../kubelet/qos.ts';
import type { QosClass } from '../kubelet/qos-class.ts';
import { applySizing, type ContainerSizing, sizeContainers } from './container-sizing.ts';
import type { PlacedPod, ReviewFacts, SummarizedWorkload } from './placed.ts';
import { type Recommendation, recommendRequest } from './recommendation.ts';

export type Confidence = 'high' | 'medium' | 'low';

/** What following the recommendation does, to the pods there are now. */
export interface SizingEffect {
  /** (recommended request − request) × replicas: negative = freed, positive = added. */
  readonly changeBytes: number;
  /** Pods over their request now whose usage is within the recommended one. */
  readonly podsLeavingFirstGroup: number;
  readonly qosBefore: QosClass | undefined;
  /** Undefined where it depends on containers that are not known. */
  readonly qosAfter: QosClass | undefined;
}

/** One workload of the review, before findings. */
export interface SizedWorkload extends SummarizedWorkload {
  readonly pods: readonly PlacedPod[];
  /** Containers as a living pod has them; undefined where they are not known, or do not add up to its request. */
  readonly spec: PodSpec | undefined;
  readonly containers: readonly ContainerSizing[];
  /**
   * What the containers request together once they are changed: more than the recommended request where limits move
   * along. Undefined where nothing is recommended, or they are not known.
   */
  readonly patchedRequestBytes: number | undefined;
  readonly recommendation: Recommendation;
  /** Undefined where nothing is recommended. */
  readonly confidence: Confidence | undefined;
  readonly effect: SizingEffect | undefined;
  readonly hours: readonly number[] | undefined;
}

export interface SizingSettings {
  readonly margin: number;
  readonly windowHours: number;
  /** Recommend for workloads scaled on memory, too. */
  readonly includesMemoryAutoscaled: boolean;
}

/** Sizes one workload from its pods; pure. */
export function sizeWorkload(
  summary: SummarizedWorkload,
  pods: readonly PlacedPod[],
  facts: ReviewFacts,
  settings: SizingSettings,
): SizedWorkload {
  const { workload } = summary;
  const spec = specOf(pods, facts);
  const recommendation = recommendRequest({
    ...summary,
    kind: workload.kind,
    margin: settings.margin,
    isLeaking: summary.leak !== undefined,
    hasMemoryAutoscaler: summary.hasMemoryAutoscaler === true && !settings.includesMemoryAutoscaled,
  });
  const need = recommendation.abstention === undefined ? recommendation : undefined;
  const containers =
    spec === undefined
      ? []
      : sizeContainers(
          spec,
          facts.containerHours(workload),
          need === undefined ? undefined : { ...need, observedHours: summary.hourly?.observedHours ?? 0 },
        );
  const sized = { ...summary, pods, spec, containers, recommendation };
  return {
    ...sized,
    patchedRequestBytes:
      spec === undefined || need === undefined
        ? undefined
        : quantityToNumber(podRequest(applySizing(spec, containers), 'memory')),
    confidence: recommendation.abstention === undefined ? confidenceOf(summary, settings) : undefined,
    effect: effectOf(sized),
    hours: facts.workloadHours(workload),
  };
}

/**
 * Of a pod whose containers add up to what it requests. With pod-level resources, which no metric of containers shows,
 * they do not, and other requests of containers would change nothing.
 */
function specOf(pods: readonly PlacedPod[], facts: ReviewFacts): PodSpec | undefined {
  for (const { pod } of pods) {
    const spec = facts.specOf(pod);
    if (spec !== undefined && quantityToNumber(podRequest(spec, 'memory')) === pod.requestBytes) return spec;
  }
  return undefined;
}

/** High from six of seven days on; replicas that are not seen count as hours that were not. */
function confidenceOf(
  { hourly, seenReplicas, replicas }: SummarizedWorkload,
  { windowHours }: SizingSettings,
): Confidence {
  const ratio = ((hourly?.observedHours ?? 0) / windowHours) * (replicas === 0 ? 1 : seenReplicas / replicas);
  if (ratio >= 0.85) return 'high';
  return ratio >= 0.4 ? 'medium' : 'low';
}

function effectOf(
  sized: Pick<SizedWorkload, 'recommendation' | 'requestBytes' | 'pods' | 'spec' | 'containers' | 'replicas'>,
): SizingEffect | undefined {
  const { recommendation, requestBytes, pods, replicas } = sized;
  const after = recommendation.requestBytes;
  if (after === undefined || requestBytes === undefined) return undefined;
  const qosBefore = pods[0]?.pod.qosClass;
  return {
    changeBytes: (after - requestBytes) * replicas,
    podsLeavingFirstGroup: pods.filter(
      ({ pod, now }) =>
        now.group === 'exceeds_request' && pod.usageBytes !== undefined && pod.usageBytes <= after,
    ).length,
    qosBefore,
    qosAfter: qosAfter(sized, qosBefore),
  };
}

function qosAfter(
  { spec, containers }: Pick<SizedWorkload, 'spec' | 'containers'>,
  before: QosClass | undefined,
): QosClass | undefined {
  if (spec !== undefined) return computeQosClass(applySizing(spec, containers));
  // Without the containers: a request makes Burstable of BestEffort, and equal limits are moved along with requests.
  // Burstable may become Guaranteed, where a limit is raised to the request.
  return before === 'BestEffort' ? 'Burstable' : before === 'Guaranteed' ? before : undefined;
}
