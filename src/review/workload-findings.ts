import { formatBytes, formatTotal } from '../foundation/byte-text.ts';
import { computeQosClass } from '../kubelet/qos.ts';
import { memoryOf } from './container-sizing.ts';
import { type FindingRule, percent } from './finding.ts';
import { injectorOf } from './injected-sidecars.ts';
import type { PlacedPod } from './placed.ts';
import type { SizedWorkload } from './workload-review.ts';

/** A workload with what is around it. */
export interface WorkloadSubject extends SizedWorkload {
  /** Memory requests that LimitRanges of its namespace give by default. */
  readonly defaultRequestsBytes: readonly number[];
  /** Pods of a lower class on its nodes that are within their request and yet are evicted after it. */
  readonly outlivedBy: readonly PlacedPod[];
}

/** A request this many times the recommended one holds memory that others could use. */
const OVER_REQUESTED_RATIO = 1.5;
const WORTHWHILE_BYTES = 64 * 1_048_576;
/** Over its request less often than this is a spike, which the recommendation covers anyway. */
const OVER_REQUEST_TIME_RATIO = 0.05;
/** Half of all hours below this share of the peak: averages and percentiles miss what is needed. */
const SPIKE_RATIO = 0.5;

/** Every finding about a workload, one row each. Those of static pods are the business of their node. */
export const workloadFindings = {
  leak_trend: {
    title: 'leak',
    find: ({ leak, requestBytes }) =>
      leak === undefined
        ? undefined
        : {
            numbers: `grows by ${formatBytes(leak.growthBytesPerHour)} an hour and started again ${leak.resets} times in the window${requestBytes === undefined ? '' : `; request ${formatBytes(requestBytes)}`}`,
            remedy:
              'find what it keeps; until then its limit decides when it is restarted, and no request is enough',
          },
  },
  short_history: {
    title: 'short history',
    find: ({ recommendation, hourly }) =>
      recommendation.abstention === 'short_history'
        ? {
            numbers: `${hourly?.observedHours ?? 0} hours of data`,
            remedy: 'look again once it has run for a day',
          }
        : undefined,
  },
  no_request: {
    title: 'no request',
    find: ({ requestBytes, recommendation, hourly, effect }) =>
      requestBytes === 0
        ? {
            numbers: `uses up to ${sizeOf(hourly?.peakBytes)} and requests nothing, so any usage exceeds its request`,
            remedy: requestText(recommendation.requestBytes, effect),
          }
        : undefined,
    explainedBy: ['short_history'],
  },
  oom_killed: {
    title: 'OOM-killed',
    find: ({ oomKills, containers, hourly, recommendation, effect }) =>
      (oomKills ?? 0) > 0
        ? {
            numbers: `killed ${oomKills === 1 ? 'once' : `${oomKills} times`} at its limit${limitsText(containers)}; peak ${sizeOf(hourly?.peakBytes)}`,
            remedy: `raise the limit, for the peak is where it cut off; ${requestText(recommendation.requestBytes, effect)}`,
          }
        : undefined,
    explainedBy: ['leak_trend'],
  },
  under_requested: {
    title: 'under-requested',
    find: ({ requestBytes, hourly, recommendation, effect }) =>
      requestBytes !== undefined &&
      requestBytes > 0 &&
      (hourly?.timeOverRequestRatio ?? 0) >= OVER_REQUEST_TIME_RATIO
        ? {
            numbers: `over its request of ${formatBytes(requestBytes)} in ${percent(hourly?.timeOverRequestRatio ?? 0)} of the hours, up to ${sizeOf(hourly?.peakBytes)}`,
            remedy: requestText(recommendation.requestBytes, effect),
          }
        : undefined,
    explainedBy: ['leak_trend', 'oom_killed', 'short_history'],
  },
  over_requested: {
    title: 'over-requested',
    find: ({ requestBytes, recommendation: { requestBytes: recommended }, hourly, effect }) =>
      requestBytes !== undefined &&
      recommended !== undefined &&
      requestBytes > recommended * OVER_REQUESTED_RATIO &&
      -(effect?.changeBytes ?? 0) >= WORTHWHILE_BYTES
        ? {
            numbers: `requests ${formatBytes(requestBytes)} and never used more than ${sizeOf(hourly?.peakBytes)}`,
            remedy: `${requestText(recommended)}; frees ${formatTotal(-(effect?.changeBytes ?? 0))}`,
          }
        : undefined,
  },
  spiky: {
    title: 'spiky',
    find: ({ hourly }) =>
      hourly !== undefined && hourly.medianBytes < hourly.peakBytes * SPIKE_RATIO
        ? {
            numbers: `half of the hours peak at ${formatBytes(hourly.medianBytes)} or less, the highest at ${formatBytes(hourly.peakBytes)}`,
            remedy: 'size it by its peak: an average or a low percentile misses its need',
          }
        : undefined,
    explainedBy: ['leak_trend', 'oom_killed', 'short_history'],
  },
  injected_class: {
    title: 'class decided by an injected sidecar',
    find: findInjectedClass,
  },
  limit_range_class: {
    title: 'Burstable by a LimitRange',
    find: ({ spec, defaultRequestsBytes }) => {
      if (spec === undefined || computeQosClass(spec) !== 'Burstable') return undefined;
      const container = spec.containers.find(({ requests, limits }) => {
        const requestBytes = memoryOf(requests);
        return (
          requestBytes !== undefined &&
          defaultRequestsBytes.includes(requestBytes) &&
          requestBytes < (memoryOf(limits) ?? 0)
        );
      });
      if (container === undefined) return undefined;
      return {
        numbers: `container ${container.name} requests ${sizeOf(memoryOf(container.requests))}, the default of the LimitRange, below its limit of ${sizeOf(memoryOf(container.limits))}`,
        remedy: 'set its request: equal to the limit for Guaranteed, else by its peak',
      };
    },
  },
  guaranteed_low_priority: {
    title: 'only looks safe',
    find: ({ pods, outlivedBy }) => {
      const [first] = pods;
      if (first?.pod.qosClass !== 'Guaranteed' || outlivedBy.length === 0) return undefined;
      return {
        numbers: `Guaranteed, but of priority ${first.pod.priority}: ${outlivedBy.length} pods of a lower class on its nodes are evicted after it`,
        remedy: 'within requests only priority counts: raise it, or take the eviction for granted',
      };
    },
  },
} as const satisfies Record<string, FindingRule<WorkloadSubject>>;

export type WorkloadFindingId = keyof typeof workloadFindings;

/** The pod would be Guaranteed but for a container that somebody else adds. */
function findInjectedClass({ spec }: WorkloadSubject) {
  if (spec === undefined || computeQosClass(spec) === 'Guaranteed') return undefined;
  const isOwn = ({ name }: { readonly name: string }): boolean => injectorOf(name) === undefined;
  const own = {
    ...spec,
    containers: spec.containers.filter(isOwn),
    initContainers: spec.initContainers.filter(isOwn),
  };
  const injected = [...spec.containers, ...spec.initContainers].filter((container) => !isOwn(container));
  if (injected.length === 0 || own.containers.length === 0) return undefined;
  const [before, after] = [computeQosClass(own), computeQosClass(spec)];
  if (before === after) return undefined;
  const names = injected.map(({ name }) => name).join(', ');
  return {
    numbers: `${before} by its own containers, ${after} with ${names}`,
    remedy: `set equal requests and limits where it is injected: ${injected.map(({ name }) => injectorOf(name)).join(', ')}`,
  };
}

function sizeOf(bytes: number | undefined): string {
  return bytes === undefined ? 'an unknown amount' : formatBytes(bytes);
}

function requestText(bytes: number | undefined, effect?: WorkloadSubject['effect']): string {
  if (bytes === undefined) return 'no request can be recommended yet';
  const leaving = effect?.podsLeavingFirstGroup ?? 0;
  const what = leaving === 1 ? '1 pod leaves' : `${leaving} pods leave`;
  return `request ${formatBytes(bytes)}${leaving === 0 ? '' : `; ${what} the group that is evicted first`}`;
}

function limitsText(containers: WorkloadSubject['containers']): string {
  const limits = containers.flatMap(({ limitBytes }) => (limitBytes === undefined ? [] : [limitBytes]));
  return limits.length === 0 ? '' : ` of ${limits.map(formatBytes).join(', ')}`;
}
