import { metrics } from '../../outputs/metrics/catalogue.ts';
import { colours, dataStates } from '../palette.ts';
import { evictionsBySignal } from '../queries/evictions.ts';
import { nodeValue } from '../queries/nodes.ts';
import { podValue } from '../queries/pods.ts';
import { where } from '../queries/selector.ts';
import { stat } from './stat-panel.ts';
import { timeSeries } from './time-series-panel.ts';

const here = where.oneNode;
const noAvailable =
  'Available memory unknown: the node working set is not among the inputs (evictrank check)';
const bytes = { unit: 'bytes', decimals: 1 } as const;

export const nodeData = () =>
  stat({
    title: 'Data',
    description: 'Whether the data needed to rank the pods of this node are there.',
    noValue: 'Unknown node',
    expr: nodeValue(metrics.nodeComplete, here),
    unit: 'none',
    level: 'plain',
    shown: dataStates,
  });

export const nodeHeadroom = () =>
  stat({
    title: 'Headroom',
    description: 'Available memory minus the hard eviction threshold. Negative once the threshold is met.',
    noValue: noAvailable,
    expr: nodeValue(metrics.nodeEvictionHeadroom, here),
    ...bytes,
    level: 'headroomBytes',
  });

export const nodeAvailable = () =>
  stat({
    title: 'Available',
    description:
      'The eviction signal memory.available: machine memory minus the working set of the root cgroup. It differs from what `free` shows.',
    noValue: noAvailable,
    expr: nodeValue(metrics.nodeMemoryAvailable, here),
    ...bytes,
    level: 'plain',
  });

export const nodeThreshold = () =>
  stat({
    title: 'Threshold',
    description:
      'Hard eviction threshold for memory.available. The kubelet evicts when available memory is below it.',
    noValue: 'Threshold unknown: it is a share of a machine size that is not among the inputs',
    expr: nodeValue(metrics.nodeEvictionThreshold, here),
    ...bytes,
    level: 'plain',
    width: 3,
  });

export const nodeRequests = () =>
  stat({
    title: 'Requests %',
    description: 'Sum of the effective memory requests of the pods, as a share of allocatable memory.',
    noValue: 'Allocatable memory or requests of this node are not among the inputs',
    expr: `${nodeValue(metrics.nodeMemoryRequests, here)} / on (cluster, node) ${nodeValue(metrics.nodeMemoryAllocatable, here)}`,
    unit: 'percentunit',
    decimals: 1,
    level: 'fullness',
    width: 3,
  });

export const nodePeaks = () =>
  stat({
    title: 'Peaks %',
    description:
      'Sum of the highest working sets of the pods within the window, as a share of allocatable memory. Above 100 % the node cannot hold all pods at their peaks.',
    noValue: 'Allocatable memory of this node or peaks of its pods are not known yet',
    expr: `${nodeValue(metrics.nodeMemoryPeak, here)} / on (cluster, node) ${nodeValue(metrics.nodeMemoryAllocatable, here)}`,
    unit: 'percentunit',
    decimals: 1,
    level: 'fullness',
    width: 3,
  });

export const nodeInversions = () =>
  stat({
    title: 'Inversions',
    description: 'Pods on this node that would be evicted before a pod of a lower QoS class.',
    noValue: 'Nothing is ranked on this node',
    expr: nodeValue(metrics.nodeQosOrderInversions, here),
    unit: 'none',
    level: 'noneIsGood',
    width: 3,
  });

export const availableOverTime = () =>
  timeSeries({
    title: 'Available memory and threshold',
    description:
      'Available memory of the node against the hard eviction threshold. Marks are evictions that the kubelet counted.',
    noValue: noAvailable,
    width: 12,
    height: 9,
    ...bytes,
    min: 0,
    lines: [
      { expr: nodeValue(metrics.nodeMemoryAvailable, here), legend: 'Available', colour: colours.good },
      {
        expr: nodeValue(metrics.nodeEvictionThreshold, here),
        legend: 'Threshold',
        colour: colours.bad,
        dashed: true,
      },
    ],
  });

export const podMemoryOverTime = () =>
  timeSeries({
    title: 'Memory by pod',
    description:
      'Working sets of the pods of this node, stacked. Marks are evictions that the kubelet counted.',
    noValue: 'No pod on this node has usage data',
    width: 12,
    height: 9,
    ...bytes,
    min: 0,
    style: 'stacked area',
    lines: [{ expr: podValue(metrics.podMemoryUsage, here), legend: '{{namespace}}/{{pod}}' }],
  });

export const nodeEvictionsOverTime = () =>
  timeSeries({
    title: 'Evictions by signal',
    description:
      'Evictions that the kubelet of this node counted, by the signal that asked for them. allocatableMemory.available is the memory signal of the pods as a whole.',
    noValue:
      'The kubelet exports no eviction counter: it has evicted nothing since it started, or is not scraped',
    width: 12,
    height: 9,
    unit: 'none',
    min: 0,
    style: 'stacked bars',
    lines: [{ expr: evictionsBySignal('$__rate_interval'), legend: '{{eviction_signal}}', minStep: '5m' }],
  });
