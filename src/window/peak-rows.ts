import { joinKey } from '../model/keys.ts';
import type { WorkloadKey } from '../model/pod.ts';
import type { Hour } from './hour.ts';
import { lastObservedHour } from './hour-summary.ts';
import type { HourTable } from './hour-table.ts';
import { chooseRetired, podMayReturn, vanishedRowLimit } from './retention.ts';

/** Owner of a row whose pod nobody has named a workload for yet. */
const unknownOwner = -1;
/** The same after the history of owners was asked in vain. */
const noOwner = -2;

/**
 * The rows of pods and of workloads. Whatever is taken into a pod's row also goes into its workload's, so the peaks of
 * a workload outlive its pods. Pods are known by cluster, namespace and name: cAdvisor's series have no uid, so a pod
 * recreated under its old name continues the row, as it continues the series.
 */
export interface PeakRows {
  readonly table: HourTable;
  /** By `joinKey(cluster, namespace, pod)`. */
  readonly pods: ReadonlyMap<string, number>;
  /** By `workloadRowKey`. */
  readonly workloads: ReadonlyMap<string, number>;
  /** From here on the pods marked as living are those of the next refresh. */
  beginRefresh(): void;
  /** Row of a pod; a new one where it has none. */
  podRow(key: string): number;
  markLiving(podRow: number): void;
  isLiving(podRow: number): boolean;
  /** Says whose pod it is. What the row held before is counted for the workload, too. */
  setOwner(podRow: number, workloadKey: string): void;
  /** The history of owners does not know the pod. */
  setNoOwner(podRow: number): void;
  hasOwner(podRow: number): boolean;
  raisePod(podRow: number, hour: Hour, bytes: number): void;
  /** For a pod that is gone for good: only its workload remembers. */
  raiseWorkload(workloadKey: string, hour: Hour, bytes: number): void;
  /** Whether a pod without a known owner has data in that hour. */
  hasUnownedData(hour: Hour): boolean;
  /** Names in the order in which a saved window holds the rows: pods, then workloads. */
  names(): RowNames;
  /** Gives up the rows that nothing can ask for any more. */
  retire(now: Hour): void;
}

export function workloadRowKey({ cluster, namespace, kind, name }: WorkloadKey): string {
  return joinKey(cluster, namespace, kind, name);
}

/** What a saved window holds of the rows: names in the order of their rows. */
export interface RowNames {
  /** Pod key and index of its workload; -1 = unknown, -2 = has none. */
  readonly pods: readonly (readonly [string, number])[];
  readonly workloads: readonly string[];
}

/**
 * @param table belongs to the rows from here on: an empty one, or one whose rows are those of `names`, pods first.
 */
export function createPeakRows(table: HourTable, names: RowNames = { pods: [], workloads: [] }): PeakRows {
  const podCount = names.pods.length;
  const pods = new Map(names.pods.map(([key], row) => [key, row]));
  const workloads = new Map(names.workloads.map((key, i) => [key, podCount + i]));
  const ownerOf = names.pods.map(([, owner]) => (owner < 0 ? owner : podCount + owner));
  // By row: the refresh at which the pod was last among the living.
  const livedAt: number[] = names.pods.map(() => -1);
  let refresh = 0;

  function podRow(key: string): number {
    let row = pods.get(key);
    if (row === undefined) {
      row = table.allocate();
      pods.set(key, row);
      ownerOf[row] = unknownOwner;
      livedAt[row] = -1;
    }
    return row;
  }

  function workloadRow(key: string): number {
    let row = workloads.get(key);
    if (row === undefined) {
      row = table.allocate();
      workloads.set(key, row);
    }
    return row;
  }

  const isLiving = (row: number): boolean => livedAt[row] === refresh;

  function retirePods(now: Hour): void {
    const vanished = [...pods].filter(([, row]) => !isLiving(row));
    const kinds = new Map([...workloads].map(([key, row]) => [row, key.split('\0')[2]]));
    const retired = chooseRetired(
      vanished.map(([key, row]) => ({
        key,
        lastHour: lastObservedHour(table, row),
        mayReturn: podMayReturn(kinds.get(ownerOf[row] ?? unknownOwner)),
      })),
      now,
      vanishedRowLimit(pods.size - vanished.length),
    );
    drop(pods, retired);
  }

  function retireWorkloads(now: Hour): void {
    const owners = new Set([...pods.values()].map((row) => ownerOf[row]));
    const vanished = [...workloads].filter(([, row]) => !owners.has(row));
    const retired = chooseRetired(
      vanished.map(([key, row]) => ({ key, lastHour: lastObservedHour(table, row), mayReturn: true })),
      now,
      vanishedRowLimit(workloads.size - vanished.length),
    );
    drop(workloads, retired);
  }

  function drop(rows: Map<string, number>, keys: readonly string[]): void {
    for (const key of keys) {
      const row = rows.get(key);
      if (row === undefined) continue;
      rows.delete(key);
      table.release(row);
    }
  }

  return {
    table,
    pods,
    workloads,
    beginRefresh() {
      refresh++;
    },
    podRow,
    markLiving(row) {
      livedAt[row] = refresh;
    },
    isLiving,
    setOwner(row, workloadKey) {
      const owner = workloadRow(workloadKey);
      if (ownerOf[row] === owner) return;
      ownerOf[row] = owner;
      table.merge(row, owner);
    },
    setNoOwner(row) {
      ownerOf[row] = noOwner;
    },
    hasOwner: (row) => (ownerOf[row] ?? unknownOwner) >= 0,
    raisePod(row, hour, bytes) {
      table.raise(row, hour, bytes);
      const owner = ownerOf[row] ?? unknownOwner;
      if (owner >= 0) table.raise(owner, hour, bytes);
    },
    raiseWorkload(workloadKey, hour, bytes) {
      table.raise(workloadRow(workloadKey), hour, bytes);
    },
    hasUnownedData(hour) {
      for (const row of pods.values()) {
        if (ownerOf[row] === unknownOwner && !Number.isNaN(table.at(row, hour))) return true;
      }
      return false;
    },
    names() {
      const indexOf = new Map([...workloads.values()].map((row, i) => [row, i]));
      return {
        pods: [...pods].map(([key, row]) => {
          const owner = ownerOf[row] ?? unknownOwner;
          return [key, owner < 0 ? owner : (indexOf.get(owner) ?? unknownOwner)];
        }),
        workloads: [...workloads.keys()],
      };
    },
    retire(now) {
      retirePods(now);
      retireWorkloads(now);
    },
  };
}
