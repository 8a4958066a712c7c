import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { ClusterScope } from '../identity.ts';
import { colours } from '../palette.ts';
import { nodePodUsage, nodeValue, shareOfAllocatable } from '../queries/nodes.ts';
import { noNodes, toLadder } from './node-texts.ts';
import { table } from './table-panel.ts';
import { timeSeries } from './time-series-panel.ts';

export const nodeMemoryShares = (scope: ClusterScope) =>
  table({
    title: 'Nodes: requests against use and allocatable',
    description:
      'What the pods of each node ask for, use now and used at their peaks, against allocatable memory, which the scheduler may give away; percentages are of it. Peaks need not coincide, so their sum is the worst case. Requests far above use: room to shrink. Peaks above allocatable: eviction is possible.',
    noValue: noNodes,
    scope,
    width: 24,
    height: 9,
    sortBy: 'Peaks %',
    descending: true,
    columns: [
      { label: 'node', title: 'Node', link: toLadder },
      {
        as: 'allocatable',
        title: 'Allocatable',
        expr: nodeValue(metrics.nodeMemoryAllocatable),
        unit: 'bytes',
        decimals: 1,
      },
      {
        as: 'requests',
        title: 'Requests',
        expr: nodeValue(metrics.nodeMemoryRequests),
        unit: 'bytes',
        decimals: 1,
      },
      { as: 'usage', title: 'Use now', expr: nodePodUsage(), unit: 'bytes', decimals: 1 },
      { as: 'peaks', title: 'Peaks', expr: nodeValue(metrics.nodeMemoryPeak), unit: 'bytes', decimals: 1 },
      {
        as: 'requestShare',
        title: 'Requests %',
        expr: shareOfAllocatable(nodeValue(metrics.nodeMemoryRequests)),
        unit: 'percentunit',
        decimals: 1,
        level: 'fullness',
      },
      {
        as: 'peakShare',
        title: 'Peaks %',
        expr: shareOfAllocatable(nodeValue(metrics.nodeMemoryPeak)),
        unit: 'percentunit',
        decimals: 1,
        level: 'fullness',
      },
    ],
  });

export const clusterMemoryOverTime = () =>
  timeSeries({
    title: 'Requests, use and allocatable over time',
    description: 'Sums over all chosen nodes. The gap between requests and use is what sizing can win back.',
    noValue: noNodes,
    width: 24,
    height: 8,
    unit: 'bytes',
    decimals: 1,
    min: 0,
    lines: [
      {
        expr: `sum(${nodeValue(metrics.nodeMemoryAllocatable)})`,
        legend: 'Allocatable',
        colour: colours.bad,
        dashed: true,
      },
      { expr: `sum(${nodeValue(metrics.nodeMemoryRequests)})`, legend: 'Requests', colour: colours.warning },
      { expr: `sum(${nodePodUsage()})`, legend: 'Use', colour: colours.good },
      { expr: `sum(${nodeValue(metrics.nodeMemoryPeak)})`, legend: 'Peaks', colour: colours.neutral },
    ],
  });
