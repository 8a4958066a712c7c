import type { FilesystemLayout } from './disk-usage.ts';
import type { KubeletRules } from './kubelet-version.ts';
import type { Threshold } from './threshold.ts';

/** How the eviction manager is set up for all its passes. */
export interface ManagerConfig {
  /** The same objects in every pass: what was met is remembered by them. */
  readonly thresholds: readonly Threshold[];
  readonly maxPodGracePeriodSeconds: number;
  readonly pressureTransitionPeriodMs: number;
  readonly layout: FilesystemLayout;
  readonly rules: KubeletRules;
}
