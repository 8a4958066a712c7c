/** Why a pod has its QoS class, and what would make it Guaranteed, container by container and resource by resource. */
import { compareQuantities, formatQuantity, type Quantity } from '../foundation/quantity.ts';
import { withApiDefaults } from './api-defaults.ts';
import type { PodSpec, Resources } from './pod-spec.ts';
import { computeQosClass, isSet, QOS_RESOURCES, type QosResource } from './qos.ts';
import type { QosClass } from './qos-class.ts';

/** One thing that keeps the pod from being Guaranteed. */
export interface QosFinding {
  /** undefined: the pod level, spec.resources. */
  readonly container: string | undefined;
  /** undefined: both cpu and memory. */
  readonly resource: QosResource | undefined;
  readonly reason: string;
  readonly remedy: string;
}

export interface QosExplanation {
  readonly qosClass: QosClass;
  /** One sentence. */
  readonly summary: string;
  /** Empty for a Guaranteed pod; else every finding must be repaired to make it one. */
  readonly findings: readonly QosFinding[];
}

const SUMMARIES: Readonly<Record<QosClass, string>> = {
  Guaranteed: 'Every cpu and memory limit is set, and every request equals its limit.',
  Burstable:
    'Some cpu or memory request or limit is set, but not every limit is set and equal to its request.',
  BestEffort: 'No cpu or memory request or limit is set at all.',
};

/** Explains the class that a spec gets in a cluster, that is, with the API server's defaults. */
export function explainQosClass(spec: PodSpec): QosExplanation {
  const defaulted = withApiDefaults(spec);
  const qosClass = computeQosClass(defaulted);
  const findings = qosClass === 'Guaranteed' ? [] : namedResources(defaulted).flatMap(findObstacles);
  return { qosClass, summary: SUMMARIES[qosClass], findings };
}

/** Why the class Kubernetes reports (`status.qosClass`) is not the computed one; undefined where they agree. */
export function explainReportedClass(computed: QosClass, reported: QosClass): string | undefined {
  if (computed === reported) return undefined;
  return (
    `Kubernetes reports ${reported}, the spec gives ${computed}: the class is computed once, at admission, ` +
    'and what changes the resources afterwards, such as an in-place resize, does not change it.'
  );
}

interface NamedResources {
  readonly container: string | undefined;
  readonly resources: Resources;
}

function namedResources(spec: PodSpec): readonly NamedResources[] {
  if (spec.resources !== undefined) return [{ container: undefined, resources: spec.resources }];
  return [...spec.containers, ...spec.initContainers].map((container) => ({
    container: container.name,
    resources: container,
  }));
}

function findObstacles({ container, resources }: NamedResources): readonly QosFinding[] {
  const name = container ?? 'the pod level';
  if (
    QOS_RESOURCES.every(
      (resource) => !isSet(resources.requests?.[resource]) && !isSet(resources.limits?.[resource]),
    )
  ) {
    const reason = `${name} has no cpu or memory request or limit`;
    const remedy = `${name}: set cpu and memory limits, and each request equal to its limit`;
    return [{ container, resource: undefined, reason, remedy }];
  }
  return QOS_RESOURCES.flatMap((resource) => {
    const obstacle = describeObstacle(resource, resources.requests?.[resource], resources.limits?.[resource]);
    if (obstacle === undefined) return [];
    return [
      { container, resource, reason: `${name}: ${obstacle.reason}`, remedy: `${name}: ${obstacle.remedy}` },
    ];
  });
}

function describeObstacle(
  resource: QosResource,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): Pick<QosFinding, 'reason' | 'remedy'> | undefined {
  if (!isSet(request) && !isSet(limit)) {
    return {
      reason: `no ${resource} request or limit`,
      remedy: `set a ${resource} limit and an equal request`,
    };
  }
  if (!isSet(limit)) {
    const text = request === undefined ? '0' : formatQuantity(request);
    return {
      reason: `${resource} request ${text}, but no limit`,
      remedy: `set the ${resource} limit to the request, ${text}`,
    };
  }
  if (isSet(request) && compareQuantities(request, limit) === 0) return undefined;
  const [requestText, limitText] = [
    request === undefined ? '0' : formatQuantity(request),
    formatQuantity(limit),
  ];
  return {
    reason: `${resource} limit ${limitText} ≠ request ${requestText}`,
    remedy: `set the ${resource} request to the limit, ${limitText}${isSet(request) ? `, or the limit to the request, ${requestText}` : ''}`,
  };
}
