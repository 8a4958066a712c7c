/** `scheduling.SystemCriticalPriority` in pkg/apis/scheduling/types.go: system-cluster-critical and above. */
export const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/** `scheduling.SystemNodeCritical`: for what a node cannot run without. */
const SYSTEM_NODE_CRITICAL = 'system-node-critical';

/** Where the kubelet got a pod from: `file` or `http` = static, `api` = an ordinary pod (pkg/kubelet/types/pod_update.go). */
const SOURCE_ANNOTATION = 'kubernetes.io/config.source';
const API_SOURCE = 'api';
/** Marks the copy of a static pod that the API server shows; the mark counts even when empty. */
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

export interface CriticalityFacts {
  readonly annotations?: Readonly<Record<string, string | undefined>> | undefined;
  /** Known otherwise, e.g. from an owner of kind Node. */
  readonly isStatic?: boolean | undefined;
  readonly priority?: number | undefined;
  /** spec.priorityClassName */
  readonly priorityClass?: string | undefined;
}

/** Static, mirror or critical by priority: `IsCriticalPod` in pkg/kubelet/types/pod_update.go. Such a pod is never evicted. */
export function isCriticalPod({
  annotations = {},
  isStatic = false,
  priority = 0,
}: CriticalityFacts): boolean {
  const source = annotations[SOURCE_ANNOTATION];
  return (
    isStatic ||
    (source !== undefined && source !== API_SOURCE) ||
    annotations[MIRROR_ANNOTATION] !== undefined ||
    priority >= SYSTEM_CRITICAL_PRIORITY
  );
}

/**
 * A critical pod of the class system-node-critical: `IsNodeCriticalPod` in pkg/kubelet/types/pod_update.go. The name
 * decides: a static pod without it is not one, whatever its priority.
 */
export function isNodeCriticalPod(facts: CriticalityFacts): boolean {
  return facts.priorityClass === SYSTEM_NODE_CRITICAL && isCriticalPod(facts);
}
