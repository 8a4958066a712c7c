import type { FilesystemLayout } from './disk-usage.ts';
import type { MessageStyle } from './eviction-message.ts';
import type { Threshold } from './threshold.ts';

/** How the eviction manager is set up for all its passes. */
export interface ManagerConfig {
  /** The same objects in every pass: what was met is remembered by them. */
  readonly thresholds: readonly Threshold[];
  readonly maxPodGracePeriodSeconds: number;
  readonly pressureTransitionPeriodMs: number;
  readonly layout: FilesystemLayout;
  readonly version: KubeletVersion;
}

/** What differs between versions. */
export interface KubeletVersion {
  readonly messageStyle: MessageStyle;
  /** What a pod gets for a hard threshold or a limit of its own. */
  readonly immediateGracePeriodSeconds: number;
}

export const KUBELET_1_20: KubeletVersion = { messageStyle: '1.20', immediateGracePeriodSeconds: 0 };
export const CURRENT_KUBELET: KubeletVersion = { messageStyle: 'current', immediateGracePeriodSeconds: 1 };
