import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { Basis } from '../../snapshot/snapshot.ts';
import { colours, groups, qosClasses } from '../palette.ts';
import { podLimit } from '../queries/containers.ts';
import { podOnBasis, podValue, rank, withGroup } from '../queries/pods.ts';
import { select, where } from '../queries/selector.ts';
import { labelStat, stat } from './stat-panel.ts';
import { timeSeries } from './time-series-panel.ts';

const here = where.onePod;
const notRanked = 'Not ranked: the pod is protected, or the data of its node are missing';
const gone =
  'evictrank does not export this pod at the end of the time range: it has ended, or was not there yet';

export const podIdentity = () =>
  labelStat({
    title: 'What it is',
    description:
      'Comparator group now, QoS class, priority, workload and node. Of these only group and priority count in the eviction order.',
    noValue: gone,
    expr: withGroup(
      `max by (cluster, namespace, pod, node, qos_class, priority, priority_class, workload_kind, workload) (${select(metrics.podInfo, here)})`,
      'now',
      here,
    ),
    labels: {
      group: 'Group',
      qos_class: 'QoS class',
      priority: 'Priority',
      workload: 'Workload',
      node: 'Node',
    },
    shown: { ...groups, ...qosClasses },
    width: 24,
    height: 4,
  });

const rankTitles = {
  now: { title: 'Rank now', what: 'with the working sets of this moment' },
  peak: {
    title: 'Rank at peak',
    what: 'with every pod of the node at its highest working set of the window',
  },
} as const satisfies Record<Basis, object>;

export const podRank = (basis: Basis) =>
  stat({
    title: rankTitles[basis].title,
    description: `Place in the eviction order of the node ${rankTitles[basis].what}; 1 goes first.`,
    noValue: notRanked,
    expr: rank(basis, here),
    unit: 'none',
    level: 'rank',
  });

export const podDistance = () =>
  stat({
    title: 'Distance',
    description:
      'How much more memory the node must lose before the kubelet takes this pod. 0 means next, now.',
    noValue:
      'Not known: the pod is protected, the memory of its node is not known, or a pod without usage data goes before it',
    expr: podValue(metrics.podEvictionDistance, here),
    unit: 'bytes',
    decimals: 1,
    level: 'headroomBytes',
  });

export const podOverRequest = () =>
  stat({
    title: 'Over request',
    description: 'Working set minus request. Positive: the pod is in the group that goes first.',
    noValue: 'Usage or request of this pod is not known',
    expr: podOnBasis(metrics.podMemoryOverRequest, 'now', here),
    unit: 'bytes',
    decimals: 1,
    level: 'overRequest',
  });

export const podUsageRatio = () =>
  stat({
    title: 'Peak of request',
    description: 'Highest working set of the window as a share of the request.',
    noValue: 'The pod requests no memory, so there is no ratio, or its usage is not known',
    expr: podOnBasis(metrics.podMemoryUsageRequestRatio, 'peak', here),
    unit: 'percentunit',
    level: 'usageOfRequest',
  });

export const podTimeOverRequest = () =>
  stat({
    title: 'Time over request',
    description: 'Share of the observed hours of the window in which the peak was above the request.',
    noValue: 'The window holds no hour of this pod yet',
    expr: podValue(metrics.podTimeOverRequest, here),
    unit: 'percentunit',
    decimals: 1,
    level: 'timeOverRequest',
  });

export const podUsageOverTime = () =>
  timeSeries({
    title: 'Usage against request and limit',
    description:
      'Working set of the pod, its peak of the window, its request and its limit. Above the request it is in the group that is evicted first; a container at its own limit is OOM-killed whatever the node has free. The limit is drawn only where every container has one. Marks are OOM kills and evictions.',
    noValue: gone,
    width: 24,
    height: 10,
    unit: 'bytes',
    decimals: 1,
    min: 0,
    lines: [
      { expr: podValue(metrics.podMemoryUsage, here), legend: 'Usage', colour: colours.good },
      { expr: podValue(metrics.podMemoryRequest, here), legend: 'Request', colour: colours.warning },
      { expr: podLimit, legend: 'Limit', colour: colours.bad, dashed: true },
      { expr: podValue(metrics.podMemoryPeak, here), legend: 'Peak of the window', colour: colours.neutral },
    ],
  });

export const podRankOverTime = () =>
  timeSeries({
    title: 'Rank over time',
    description:
      'Place in the eviction order of the node on both bases; 1 goes first. It also moves when other pods do.',
    noValue: notRanked,
    width: 12,
    height: 9,
    unit: 'none',
    min: 0,
    lines: [
      { expr: rank('now', here), legend: 'Rank now', colour: colours.good },
      { expr: rank('peak', here), legend: 'Rank at peak', colour: colours.neutral },
    ],
  });

export const podTimeOverRequestOverTime = () =>
  timeSeries({
    title: 'Time over request, over time',
    description:
      'How the share of hours over the request has developed. A rising line wants a larger request.',
    noValue: 'The window holds no hour of this pod yet',
    width: 12,
    height: 9,
    unit: 'percentunit',
    decimals: 1,
    min: 0,
    max: 1,
    lines: [
      {
        expr: podValue(metrics.podTimeOverRequest, here),
        legend: 'Time over request',
        colour: colours.warning,
      },
    ],
  });
