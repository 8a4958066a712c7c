import type { Hour } from './hour.ts';

/** A row of something that is not there any more. */
export interface VanishedRow {
  readonly key: string;
  /** Newest hour with data; undefined where all have fallen out of the window. */
  readonly lastHour: Hour | undefined;
  /** Whether something of the very same name may come back, so that its peaks still count. */
  readonly mayReturn: boolean;
}

/**
 * Controllers that give each pod a random name (`generateName`, in pkg/controller/controller_utils.go): a name once
 * gone stays gone. All other pods, those of StatefulSets, static ones and those of unknown controllers, may return
 * under their old name, and then Prometheus' own answer includes what the name had before.
 */
const randomNameKinds: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'DeploymentConfig',
  'DaemonSet',
  'Job',
  'CronJob',
]);

export function podMayReturn(workloadKind: string | undefined): boolean {
  return workloadKind !== undefined && !randomNameKinds.has(workloadKind);
}

/** Rows kept for what may return: a quarter of the living, so that heavy churn cannot outgrow the memory. */
export function vanishedRowLimit(livingRows: number): number {
  return Math.max(10_000, Math.ceil(livingRows / 4));
}

/**
 * Which vanished rows to give up: those without data in the window, those that cannot return once they have been
 * silent for a whole hour, and beyond the limit those silent for longest.
 */
export function chooseRetired(rows: readonly VanishedRow[], now: Hour, limit: number): string[] {
  const retired: string[] = [];
  const kept: { key: string; lastHour: Hour }[] = [];
  for (const { key, lastHour, mayReturn } of rows) {
    if (lastHour === undefined || (!mayReturn && lastHour < now - 1)) retired.push(key);
    else kept.push({ key, lastHour });
  }
  if (kept.length > limit) {
    kept.sort((a, b) => a.lastHour - b.lastHour);
    for (const { key } of kept.slice(0, kept.length - limit)) retired.push(key);
  }
  return retired;
}
