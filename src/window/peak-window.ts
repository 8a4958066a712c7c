import type { Pod, WorkloadKey } from '../model/pod.ts';

/** What the window knows of one pod. */
export interface PodPeak {
  /** Highest working set seen in the window. */
  readonly peakBytes: number;
  /** Share of the observed hours whose peak was above the pod's request; undefined where hours are not known. */
  readonly timeOverRequestRatio: number | undefined;
}

/** Read side of the 7-day window. Pure look-ups: nothing here queries. */
export interface PeakWindow {
  /** Share of the window's hours that have been asked for and answered in full, 0 to 1. */
  readonly coverageRatio: number;
  podPeak(pod: Pod): PodPeak | undefined;
  /** Highest peak of any pod of the workload in the window, past generations included. */
  workloadPeakBytes(workload: WorkloadKey): number | undefined;
  /** Hours of the window with data of the workload; undefined where hours are not kept. */
  observedHours(workload: WorkloadKey): number | undefined;
}

/** Keeps the window up to date. One `update` per refresh, never two at once. */
export interface PeakWindowKeeper {
  /**
   * Brings the window up to the evaluation time and answers its read side for these pods.
   * @throws PrometheusError
   */
  update(refresh: {
    readonly evaluatedAtMs: number;
    readonly pods: readonly Pod[];
    readonly usageMetric: string | undefined;
    readonly signal?: AbortSignal;
  }): Promise<PeakWindow>;
}
