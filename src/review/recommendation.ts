import type { HourlyPeaks } from './hourly-peaks.ts';

const MEBIBYTE = 1_048_576;

/** Less history than this says little of a daily curve, so nothing is recommended from it. */
export const MINIMUM_OBSERVED_HOURS = 24;
/** A container runtime alone takes some of this; less would be a request in name only. */
export const MINIMUM_REQUEST_BYTES = 16 * MEBIBYTE;
/** After an OOM kill the peak is where the limit cut it off, not what was needed: the margin is this many times larger. */
export const OOM_MARGIN_FACTOR = 2;
/** With less of its hours known, the peak may lie in the holes. */
const MINIMUM_OBSERVED_RATIO = 0.8;
/** With fewer of its replicas seen, the peak may be that of one unseen. */
const MINIMUM_SEEN_RATIO = 0.75;

/** Workloads that do not run all the time: hours without data are no gaps. */
const intermittentKinds: ReadonlySet<string> = new Set(['CronJob', 'Job']);

/** Why nothing is recommended, and the sentence that says so. */
export const abstentions = {
  static_pods: 'static pods are sized in the manifests on their node',
  no_data: 'no memory usage is known',
  short_history: 'less than a day of data',
  gaps: 'more than a fifth of its hours have no data',
  partial_metrics: 'usage or requests of some of its pods are not known',
  memory_autoscaler:
    'scaled on memory by a HorizontalPodAutoscaler: another request changes the number of pods',
  leak: 'its memory grows until it is restarted, so no request is enough',
} as const;

export type Abstention = keyof typeof abstentions;
export const abstentionNames = Object.keys(abstentions) as readonly Abstention[];

/** What lifts a recommendation above peak + margin. */
export type RequestFloor = 'minimum' | 'init_container';

export type Recommendation =
  | {
      /** Memory request of one pod. */
      readonly requestBytes: number;
      /** Peak + margin, before any floor. */
      readonly neededBytes: number;
      readonly margin: number;
      /** The floor that binds; undefined where peak + margin is above all of them. */
      readonly floor: RequestFloor | undefined;
      readonly abstention: undefined;
    }
  | { readonly requestBytes: undefined; readonly abstention: Abstention };

/** What a recommendation is made from. */
export interface SizingFacts {
  readonly kind: string;
  readonly isStatic: boolean;
  readonly replicas: number;
  /** Replicas whose usage and request are known now. */
  readonly seenReplicas: number;
  /** Undefined where the window knows nothing of the workload. */
  readonly hourly: HourlyPeaks | undefined;
  /** Share on top of the peak, 0.15 = 15 %. */
  readonly margin: number;
  // Undefined = not asked or not known, and then it changes nothing.
  readonly oomKills?: number | undefined;
  /** Largest need of init containers, with the sidecars that run beside them and the overhead of the pod. */
  readonly initNeedBytes?: number | undefined;
  readonly isLeaking?: boolean | undefined;
  readonly hasMemoryAutoscaler?: boolean | undefined;
}

/**
 * Memory request each pod of a workload should have: its window peak plus a margin, rounded up to a whole MiB; or why
 * there is none. The one place where a request is recommended: metrics, API and review all come here.
 */
export function recommendRequest(facts: SizingFacts): Recommendation {
  const abstention = abstentionOf(facts);
  const peakBytes = facts.hourly?.peakBytes;
  if (abstention !== undefined) return { requestBytes: undefined, abstention };
  if (peakBytes === undefined) return { requestBytes: undefined, abstention: 'no_data' };
  const margin = facts.margin * ((facts.oomKills ?? 0) > 0 ? OOM_MARGIN_FACTOR : 1);
  const neededBytes = roundUp(peakBytes * (1 + margin));
  const floors = [
    { floor: 'minimum', bytes: MINIMUM_REQUEST_BYTES },
    { floor: 'init_container', bytes: roundUp(facts.initNeedBytes ?? 0) },
  ] as const;
  const highest = floors.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const isBinding = highest.bytes > neededBytes;
  return {
    requestBytes: isBinding ? highest.bytes : neededBytes,
    neededBytes,
    margin,
    floor: isBinding ? highest.floor : undefined,
    abstention: undefined,
  };
}

/** The first reason that holds, the one that would remain if the others were repaired first. */
function abstentionOf(facts: SizingFacts): Abstention | undefined {
  const { hourly } = facts;
  const reasons: readonly (readonly [Abstention, boolean])[] = [
    ['static_pods', facts.isStatic],
    ['no_data', hourly === undefined],
    ['short_history', (hourly?.observedHours ?? 0) < MINIMUM_OBSERVED_HOURS],
    ['leak', facts.isLeaking === true],
    ['memory_autoscaler', facts.hasMemoryAutoscaler === true],
    ['partial_metrics', facts.seenReplicas < facts.replicas * MINIMUM_SEEN_RATIO],
    ['gaps', hourly !== undefined && !intermittentKinds.has(facts.kind) && hasGaps(hourly)],
  ];
  return reasons.find(([, holds]) => holds)?.[0];
}

function hasGaps({ observedHours, spanHours }: HourlyPeaks): boolean {
  return observedHours < spanHours * MINIMUM_OBSERVED_RATIO;
}

export function roundUp(bytes: number): number {
  return Math.ceil(bytes / MEBIBYTE) * MEBIBYTE;
}
