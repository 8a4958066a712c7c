import type { OwnedPod, Pod, WorkloadKey } from '../model/pod.ts';
import type { InputProblem } from '../model/problem.ts';
import type { PodHour } from './pod-hours.ts';

/** What the window knows of one pod. */
export interface PodPeak {
  /** Highest working set seen in the window. */
  readonly peakBytes: number;
  /** Share of the hours with data of the pod whose peak was above its request; undefined where the request is unknown. */
  readonly timeOverRequestRatio: number | undefined;
}

/** Read side of the window, until the next `update`. Pure look-ups: nothing here queries. */
export interface PeakWindow {
  /** Share of the window's hours that have been asked for and answered in full, 0 to 1. */
  readonly coverageRatio: number;
  /** Why the window is not what it should be: hours that could not be asked for, a file that was not saved. */
  readonly problems: readonly InputProblem[];
  /**
   * By cluster, namespace and name: the series of usage have no uid, so a pod recreated under its old name carries
   * the peaks of that name, as Prometheus' own `max_over_time` does.
   */
  podPeak(pod: Pick<Pod, 'cluster' | 'namespace' | 'name' | 'requestBytes'>): PodPeak | undefined;
  /** Highest peak of any pod of the workload in the window, past generations included. */
  workloadPeakBytes(workload: WorkloadKey): number | undefined;
  /** Hours of the window with data of any pod of the workload; undefined where hours are not kept. */
  observedHours(workload: WorkloadKey): number | undefined;
  /**
   * Peak of each hour of the window, oldest first, of the highest pod of the workload; NaN where an hour has no data.
   * Undefined where nothing is known. A copy: it stays as it is.
   */
  workloadHours(workload: WorkloadKey): readonly number[] | undefined;
  /** The same of one pod's name. */
  podHours(pod: Pick<Pod, 'cluster' | 'namespace' | 'name'>): readonly number[] | undefined;
}

/** One refresh as the window sees it. */
export interface WindowRefresh {
  readonly evaluatedAtMs: number;
  /** The living. */
  readonly pods: readonly OwnedPod[];
  /** Those still listed though they have finished; their usage counts for their workloads. */
  readonly finishedPods: readonly OwnedPod[];
  /** The usage source that answered at this refresh; undefined = none. */
  readonly usageMetric: string | undefined;
  readonly signal?: AbortSignal;
}

/** Keeps the window up to date. One `update` at a time, one per refresh. */
export interface PeakWindowKeeper {
  /**
   * Brings the window up to the evaluation time, goes on with the backfill for a while, and answers its read side.
   * A query that fails costs coverage and is told in `problems`; it does not fail the refresh.
   * @throws PrometheusError of kind `canceled`
   */
  update(refresh: WindowRefresh): Promise<PeakWindow>;
}

/** A keeper whose window outlives the process. */
export interface SavedPeakWindowKeeper extends PeakWindowKeeper {
  /** The hours kept of one pod, as they are this moment, even in the middle of an update. */
  podHours(pod: Pick<Pod, 'cluster' | 'namespace' | 'name'>): readonly PodHour[] | undefined;
  /** Takes over the saved window, if there is one that can be trusted. To be called before the first `update`. Never rejects. */
  load(): Promise<void>;
  /** Saves the window, after an `update` under way has ended. Never rejects: a failure is logged and told in `problems`. */
  save(): Promise<void>;
  /** Saves where more hours are covered than the file has, at most every ten minutes. */
  saveIfDue(): Promise<void>;
}
