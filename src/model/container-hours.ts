import type { LabelKeys } from '../inputs/scope.ts';
import type { Series } from '../prometheus/client.ts';
import { joinKey, podKey } from './keys.ts';
import type { OwnedPod, WorkloadKey } from './pod.ts';
import { workloadText } from './sizing-facts.ts';

const hourMs = 3_600_000;

export interface ContainerHoursTable {
  /** Hourly peaks by container, oldest hour first, NaN = no data. */
  hoursOf(workload: WorkloadKey): ReadonlyMap<string, readonly number[]>;
  take(rows: readonly Series[]): void;
}

/** Takes each container's highest hour of any of the given pods. */
export function createContainerHours(
  pods: readonly OwnedPod[],
  keys: LabelKeys,
  range: { readonly firstEndMs: number; readonly lastEndMs: number },
): ContainerHoursTable {
  const owners = new Map(
    pods.map(({ cluster, namespace, name, workload }) => [
      joinKey(cluster, namespace, name),
      workloadText({ cluster, namespace, ...workload }),
    ]),
  );
  const count = Math.round((range.lastEndMs - range.firstEndMs) / hourMs) + 1;
  const hours = new Map<string, Map<string, number[]>>();

  function rowOf(workload: string, container: string): number[] {
    const containers = hours.get(workload) ?? new Map<string, number[]>();
    hours.set(workload, containers);
    const row = containers.get(container) ?? new Array<number>(count).fill(Number.NaN);
    containers.set(container, row);
    return row;
  }

  return {
    hoursOf: (workload) => hours.get(workloadText(workload)) ?? new Map(),
    take(rows) {
      for (const series of rows) {
        const workload = owners.get(podKey(series, keys) ?? '');
        const container = series.labels[keys.container];
        if (workload === undefined || container === undefined) continue;
        const row = rowOf(workload, container);
        for (const [i, timeMs] of series.timesMs.entries()) {
          const at = Math.round((timeMs - range.firstEndMs) / hourMs);
          const bytes = series.values[i];
          // Written so that NaN, which compares false with everything, is replaced.
          if (bytes !== undefined && at >= 0 && at < count && !((row[at] ?? Number.NaN) >= bytes))
            row[at] = bytes;
        }
      }
    },
  };
}
