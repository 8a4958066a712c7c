import type { PeakWindow, PeakWindowKeeper } from './peak-window.ts';

/** A window that knows nothing: files of one moment have none, and some commands do not need one. */
export const noWindow: PeakWindow = {
  coverageRatio: 0,
  problems: [],
  podPeak: () => undefined,
  workloadPeakBytes: () => undefined,
  observedHours: () => undefined,
  workloadHours: () => undefined,
  podHours: () => undefined,
};

export const noWindowKeeper: PeakWindowKeeper = { update: () => Promise.resolve(noWindow) };
