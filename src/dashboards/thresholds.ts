import {
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './palette.ts';

type Steps = readonly (readonly [from: number | null, colour: string])[];

/** What a value means, as the lowest value of each colour. `null` is "from the start of the scale". */
export const levels = {
  /** No judgement. */
  plain: [[null, colours.neutral]],
  /** Share of allocatable memory left to the eviction threshold: none left, little left. */
  headroomShare: [
    [null, colours.bad],
    [0.0001, colours.warning],
    [0.1, colours.good],
  ],
  /** Bytes of headroom or distance: from 0 down the threshold is met. */
  headroomBytes: [
    [null, colours.bad],
    [1, colours.good],
  ],
  /** Anything that should be 0. */
  noneIsGood: [
    [null, colours.good],
    [1, colours.warning],
  ],
  noneIsGoodElseBad: [
    [null, colours.good],
    [1, colours.bad],
  ],
  /** Sum of requests or use against allocatable memory. */
  fullness: [
    [null, colours.good],
    [0.9, colours.warning],
    [1, colours.bad],
  ],
  /** Usage against request: past 1 the pod goes before every pod within its request. */
  usageOfRequest: [
    [null, colours.good],
    [0.9, colours.warning],
    [1.0001, colours.bad],
  ],
  /** Usage minus request in bytes: positive is the group that goes first. */
  overRequest: [
    [null, colours.good],
    [1, colours.bad],
  ],
  /** Share of hours over the request. */
  timeOverRequest: [
    [null, colours.good],
    [0.0001, colours.warning],
    [0.5, colours.bad],
  ],
  /** Place in the eviction order. */
  rank: [
    [null, colours.bad],
    [2, colours.warning],
    [6, colours.good],
  ],
  coverage: [
    [null, colours.bad],
    [0.5, colours.warning],
    [0.99, colours.good],
  ],
  /** Age of the data in seconds: after three refreshes of a minute the service calls itself not ready. */
  dataAge: [
    [null, colours.good],
    [120, colours.warning],
    [180, colours.bad],
  ],
} as const satisfies Record<string, Steps>;

export type Level = keyof typeof levels;

export function steps(level: Level): Threshold[] {
  return levels[level].map(([value, color]) => ({ value, color }));
}

export function thresholds(level: Level): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps(level));
}
