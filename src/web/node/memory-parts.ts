import type { NodeDetail } from '../../outputs/api/node-detail.ts';
import { groupOrder, groupWords } from '../parts/group.tsx';
import type { BarPart } from '../parts/memory-bar.tsx';
import type { Play } from './play.ts';

/**
 * Memory in use outside the pods: what is left of the node's working set once the pods' own is taken away. Daemons of
 * the system mostly; pods whose usage is not known are in it too.
 */
export function measuredSystemBytes(detail: NodeDetail): number | undefined {
  if (detail.capacityBytes === null || detail.availableBytes === null) return undefined;
  const podBytes = detail.pods.reduce((sum, { usageNowBytes }) => sum + (usageNowBytes ?? 0), 0);
  // The two are measured a moment apart, so the difference may come out a little below nothing.
  return Math.max(0, detail.capacityBytes - detail.availableBytes - podBytes);
}

/** The memory of a node in a scenario, before the evictions: system first, then pods, those that go first last. */
export function memoryParts(detail: NodeDetail, { pods }: Play, extraBytes: number): readonly BarPart[] {
  const systemBytes = measuredSystemBytes(detail) ?? 0;
  const system: BarPart[] = [
    { key: 'system', tone: 'system', bytes: systemBytes + Math.min(0, extraBytes), label: 'outside pods' },
    { key: 'extra', tone: 'extra', bytes: Math.max(0, extraBytes), label: 'added by the scenario' },
  ];
  const staying = groupOrder.toReversed().map((group): BarPart => {
    const ofGroup = pods.filter((pod) => pod.group === group && pod.eviction === undefined);
    return {
      key: group,
      tone: group,
      bytes: ofGroup.reduce((sum, { usageBytes }) => sum + (usageBytes ?? 0), 0),
      label: `pods ${groupWords[group].label}`,
    };
  });
  const going = pods
    .filter(({ eviction }) => eviction !== undefined)
    .toReversed()
    .map(
      (pod): BarPart => ({
        key: `evicted ${pod.key}`,
        tone: 'evicted',
        bytes: pod.usageBytes ?? 0,
        label: `evicted: ${pod.key}`,
      }),
    );
  return [...system, ...staying, ...going];
}
