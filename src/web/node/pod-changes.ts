import type { NodePod } from '../../outputs/api/node-detail.ts';
import type { PodChange } from '../../scenario/scenario.ts';
import { keyOf } from './play.ts';

type Fields = Omit<PodChange, 'namespace' | 'pod'>;

/** The changes with one pod's fields set; a field that is undefined, or as measured, is as it was. */
export function changePod(
  changes: readonly PodChange[],
  pod: NodePod,
  fields: Fields,
  measuredUsageBytes: number | null,
): readonly PodChange[] {
  const before = changes.find((change) => keyOf(change) === keyOf(pod));
  const merged = { ...before, ...fields };
  const kept: Fields = {
    priority: unless(merged.priority, pod.priority),
    requestBytes: unless(merged.requestBytes, pod.requestBytes),
    usageBytes: unless(merged.usageBytes, measuredUsageBytes),
  };
  const others = changes.filter((change) => keyOf(change) !== keyOf(pod));
  const isChanged = Object.values(kept).some((value) => value !== undefined);
  return isChanged ? [...others, { namespace: pod.namespace, pod: pod.pod, ...kept }] : others;
}

function unless(value: number | undefined, measured: number | null): number | undefined {
  return value === measured ? undefined : value;
}
