/** The parts of a refresh, in their order. */
export const refreshStages = [
  'collect',
  'join',
  'window',
  'rank',
  'size',
  'review',
  'render',
  'handOver',
  'save',
] as const;

export type RefreshStage = (typeof refreshStages)[number];

/** Says how long each part of one refresh took. */
export interface StageTimes {
  /** Runs a part and counts its time, however it ends. */
  measure<Result>(stage: RefreshStage, task: () => Result | Promise<Result>): Promise<Result>;
  /** Seconds by stage, in milliseconds' precision; only the stages that ran. */
  seconds(): Readonly<Partial<Record<RefreshStage, number>>>;
}

/** @param onBegin told of each part as it begins. */
export function createStageTimes(
  monotonicMs: () => number = () => performance.now(),
  onBegin: (stage: RefreshStage) => void = () => undefined,
): StageTimes {
  const spent: Partial<Record<RefreshStage, number>> = {};
  return {
    async measure(stage, task) {
      onBegin(stage);
      const startedMs = monotonicMs();
      try {
        return await task();
      } finally {
        spent[stage] = (spent[stage] ?? 0) + Math.round(monotonicMs() - startedMs) / 1000;
      }
    },
    seconds: () => spent,
  };
}
