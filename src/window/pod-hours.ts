import { joinKey } from '../model/keys.ts';
import type { Pod } from '../model/pod.ts';
import { hourEndMs } from './hour.ts';
import type { WindowState } from './window-state.ts';

/** One hour of a pod; the newest one is still running. */
export interface PodHour {
  readonly endsAtMs: number;
  /** Highest working set in it; undefined = no data, or not asked for yet. */
  readonly peakBytes: number | undefined;
}

/** Every hour that the window keeps of a pod, oldest first; undefined where it keeps none of it. */
export function podHours(
  { rows }: WindowState,
  { cluster, namespace, name }: Pick<Pod, 'cluster' | 'namespace' | 'name'>,
): readonly PodHour[] | undefined {
  const row = rows.pods.get(joinKey(cluster, namespace, name));
  if (row === undefined) return undefined;
  const { table } = rows;
  return Array.from({ length: table.hoursKept }, (_, index) => {
    const hour = table.newestHour - table.hoursKept + 1 + index;
    const bytes = table.at(row, hour);
    return { endsAtMs: hourEndMs(hour), peakBytes: Number.isNaN(bytes) ? undefined : bytes };
  });
}
