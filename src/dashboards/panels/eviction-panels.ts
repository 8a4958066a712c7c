import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { ClusterScope } from '../identity.ts';
import { qosClasses } from '../palette.ts';
import {
  beforeEviction,
  evictedByQosClass,
  evictedPodsWithClass,
  evictionsBySignal,
  evictionsIn,
  podsByQosClass,
} from '../queries/evictions.ts';
import { nodePods } from '../queries/nodes.ts';
import { where } from '../queries/selector.ts';
import { stat } from './stat-panel.ts';
import { table } from './table-panel.ts';
import { timeSeries } from './time-series-panel.ts';

const noCounter =
  'No kubelet exports an eviction counter: none has evicted anything since it started, or they are not scraped';
const noneLeft = 'No evicted pod is left in the cluster';

export const evictionsInRange = () =>
  stat({
    title: 'Evictions in the time range',
    description:
      'Evictions that the kubelets counted within the time range, by signal. Both memory.available and allocatableMemory.available mean memory.',
    noValue: noCounter,
    expr: evictionsBySignal('$__range'),
    unit: 'none',
    level: 'noneIsGood',
    legend: '{{eviction_signal}}',
    width: 12,
    height: 5,
  });

export const evictedByClass = () =>
  stat({
    title: 'Evicted pods by QoS class',
    description:
      'Evicted pods that are still in the cluster as objects, by the QoS class in their status. One assumes BestEffort first and Guaranteed never; the kubelet looks at neither.',
    noValue: noneLeft,
    expr: evictedByQosClass,
    unit: 'none',
    level: 'noneIsGood',
    legend: '{{qos_class}}',
    width: 12,
    height: 5,
  });

export const evictionsOverTime = () =>
  timeSeries({
    title: 'Evictions by signal',
    description: 'Evictions that the kubelets counted, by the signal that asked for them.',
    noValue: noCounter,
    width: 12,
    height: 9,
    unit: 'none',
    min: 0,
    style: 'stacked bars',
    lines: [{ expr: evictionsBySignal('$__rate_interval'), legend: '{{eviction_signal}}', minStep: '5m' }],
  });

export const evictedByClassOverTime = () =>
  timeSeries({
    title: 'Evicted pods by QoS class over time',
    description:
      'Evicted pods present at each moment, by QoS class. A step up is an eviction, a step down a cleaned-up pod. Set beside the signals: did they land where one assumes?',
    noValue: noneLeft,
    width: 12,
    height: 9,
    unit: 'none',
    min: 0,
    style: 'stacked area',
    lines: [{ expr: evictedByQosClass, legend: '{{qos_class}}' }],
    colours: qosClasses,
  });

export const assumptionAgainstOutcome = () =>
  table({
    title: 'Assumption against outcome',
    description:
      'For each QoS class: pods, pods that are over their request now and so would go first, and pods that were evicted. If the class decided, only the first row would have evictions.',
    noValue: 'kube-state-metrics exports no QoS class (missing under some allow-lists)',
    scope: 'one-cluster',
    width: 10,
    height: 9,
    sortBy: 'QoS class',
    columns: [
      { label: 'qos_class', title: 'QoS class', shown: qosClasses },
      { as: 'pods', title: 'Pods', expr: podsByQosClass, unit: 'none' },
      {
        as: 'first',
        title: 'Over request',
        expr: `sum by (qos_class) (${nodePods(where.nodes, 'group=~"no_stats|exceeds_request"')})`,
        unit: 'none',
      },
      { as: 'evicted', title: 'Evicted', expr: evictedByQosClass, unit: 'none', level: 'noneIsGood' },
    ],
  });

export const evictionsByNode = (scope: ClusterScope) =>
  table({
    title: 'Evictions by node',
    description:
      'Evictions for memory that the kubelets counted within the time range. Click a node for its ladder.',
    noValue: noCounter,
    scope,
    width: 14,
    height: 9,
    sortBy: 'Evictions',
    descending: true,
    columns: [
      { label: 'node', title: 'Node', link: { to: 'nodeLadder', set: { node: 'Node' } } },
      { label: 'eviction_signal', title: 'Signal' },
      {
        as: 'evictions',
        title: 'Evictions',
        expr: evictionsIn('$__range'),
        unit: 'none',
        level: 'noneIsGood',
      },
    ],
  });

export const evictedPodsTable = (scope: ClusterScope) =>
  table({
    title: 'Evicted pods',
    description:
      'Evicted pods that are still in the cluster as objects, with the rank and the usage over request that evictrank last exported for them within the time range. Over request: it was in the group that goes first. Below: it lost on priority or usage.',
    noValue: noneLeft,
    scope,
    width: 24,
    height: 11,
    sortBy: 'Node',
    columns: [
      { as: 'evicted', title: 'Evicted', expr: evictedPodsWithClass(), unit: 'none', hidden: true },
      { label: 'namespace', title: 'Namespace' },
      { label: 'pod', title: 'Pod', link: { to: 'pod', set: { namespace: 'Namespace', pod: 'Pod' } } },
      { label: 'node', title: 'Node', link: { to: 'nodeLadder', set: { node: 'Node' } } },
      { label: 'qos_class', title: 'QoS class', shown: qosClasses },
      { as: 'rank', title: 'Last rank', expr: beforeEviction(metrics.podEvictionRiskRank), unit: 'none' },
      {
        as: 'over',
        title: 'Last over request',
        expr: beforeEviction(metrics.podMemoryOverRequest),
        unit: 'bytes',
        decimals: 1,
        level: 'overRequest',
      },
    ],
  });
