import { silentLogger } from '../../src/foundation/logger.ts';
import type { OwnedPod } from '../../src/model/pod.ts';
import { createHourlyWindow, type HourlyWindowDeps } from '../../src/window/hourly-window.ts';
import type { WindowRefresh } from '../../src/window/peak-window.ts';
import { clientFor } from '../prometheus/settings.ts';
import { plainScope as scope } from '../support/plain-scope.ts';
import type { StoredSeries } from './stand-in-prometheus.ts';

export const hourMs = 3_600_000;
export const minuteMs = 60_000;
export const cgroupMetric = 'container_memory_working_set_bytes (pod cgroup)';
export const containersMetric = 'container_memory_working_set_bytes (sum of containers)';

export function podOf(
  name: string,
  workload: OwnedPod['workload'] = { kind: 'StatefulSet', name: 'db' },
): OwnedPod {
  return { cluster: undefined, namespace: 'shop', name, workload };
}

export function refreshAt(
  evaluatedAtMs: number,
  pods: readonly OwnedPod[],
  usageMetric = cgroupMetric,
): WindowRefresh {
  return { evaluatedAtMs, pods, finishedPods: [], usageMetric };
}

/** A window of a week that backfills at once, all of it. */
export function windowOver(url: string, changes: Partial<HourlyWindowDeps> = {}) {
  return createHourlyWindow({
    client: clientFor(url),
    scope,
    windowMs: 168 * hourMs,
    backfillMs: { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY },
    logger: silentLogger,
    ...changes,
  });
}

/** The cgroup series of a pod. */
export function cgroupOf(
  pod: string,
  samples: readonly (readonly [number, number])[],
  namespace = 'shop',
): StoredSeries {
  return {
    labels: { __name__: 'container_memory_working_set_bytes', namespace, pod, id: `/kubepods/${pod}` },
    timesMs: samples.map(([timeMs]) => timeMs),
    values: samples.map(([, bytes]) => bytes),
  };
}

/** What kube-state-metrics says of who created a pod. */
export function podInfo(
  pod: string,
  createdBy: OwnedPod['workload'],
  timesMs: readonly number[],
): StoredSeries {
  return {
    labels: {
      __name__: 'kube_pod_info',
      namespace: 'shop',
      pod,
      uid: `uid-${pod}`,
      node: 'node-1',
      created_by_kind: createdBy.kind,
      created_by_name: createdBy.name,
    },
    timesMs,
    values: timesMs.map(() => 1),
  };
}

export function replicaSetOwner(
  replicaset: string,
  deployment: string,
  timesMs: readonly number[],
): StoredSeries {
  return {
    labels: {
      __name__: 'kube_replicaset_owner',
      namespace: 'shop',
      replicaset,
      owner_kind: 'Deployment',
      owner_name: deployment,
      owner_is_controller: 'true',
    },
    timesMs,
    values: timesMs.map(() => 1),
  };
}
