import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { ClusterScope } from '../identity.ts';
import { dataStates } from '../palette.ts';
import { nodesWithInversions, nodeValue, podsInFirstGroups, shareOfAllocatable } from '../queries/nodes.ts';
import { noHeadroom, noNodes, toLadder } from './node-texts.ts';
import { table } from './table-panel.ts';
import { timeSeries } from './time-series-panel.ts';

export const nodesByHeadroom = (scope: ClusterScope) =>
  table({
    title: 'Nodes by headroom',
    description:
      'Every node, the one with the least headroom first. Headroom is available memory minus the hard eviction threshold; requests and peaks are sums over the pods of the node; percentages are of allocatable memory. A node with missing data is not ranked. Click a node for its ladder.',
    noValue: noNodes,
    scope,
    width: 24,
    height: 10,
    sortBy: 'Headroom',
    columns: [
      { label: 'node', title: 'Node', link: toLadder },
      {
        as: 'data',
        title: 'Data',
        expr: nodeValue(metrics.nodeComplete),
        unit: 'none',
        shown: dataStates,
      },
      {
        as: 'headroom',
        title: 'Headroom',
        expr: nodeValue(metrics.nodeEvictionHeadroom),
        unit: 'bytes',
        decimals: 1,
        level: 'headroomBytes',
      },
      {
        as: 'share',
        title: 'Headroom %',
        expr: shareOfAllocatable(nodeValue(metrics.nodeEvictionHeadroom)),
        unit: 'percentunit',
        decimals: 1,
        level: 'headroomShare',
      },
      {
        as: 'available',
        title: 'Available',
        expr: nodeValue(metrics.nodeMemoryAvailable),
        unit: 'bytes',
        decimals: 1,
      },
      {
        as: 'threshold',
        title: 'Threshold',
        expr: nodeValue(metrics.nodeEvictionThreshold),
        unit: 'bytes',
        decimals: 1,
      },
      {
        as: 'requests',
        title: 'Requests %',
        expr: shareOfAllocatable(nodeValue(metrics.nodeMemoryRequests)),
        unit: 'percentunit',
        decimals: 1,
        level: 'fullness',
      },
      {
        as: 'peaks',
        title: 'Peaks %',
        expr: shareOfAllocatable(nodeValue(metrics.nodeMemoryPeak)),
        unit: 'percentunit',
        decimals: 1,
        level: 'fullness',
      },
      {
        as: 'first',
        title: 'Pods over request',
        expr: podsInFirstGroups(),
        unit: 'none',
        level: 'noneIsGood',
      },
      {
        as: 'inversions',
        title: 'Inversions',
        expr: nodeValue(metrics.nodeQosOrderInversions),
        unit: 'none',
        level: 'noneIsGood',
      },
    ],
  });

export const headroomOverTime = () =>
  timeSeries({
    title: 'Headroom over time',
    description:
      'The ten nodes with the least headroom at each moment. At 0 the hard eviction threshold is met. More than ten lines mean that the ten changed.',
    noValue: noHeadroom,
    width: 24,
    height: 8,
    unit: 'bytes',
    decimals: 1,
    level: 'headroomBytes',
    lines: [
      { expr: `bottomk(10, ${nodeValue(metrics.nodeEvictionHeadroom)})`, legend: '{{cluster}} {{node}}' },
    ],
  });

export const inversionsByNode = (scope: ClusterScope) =>
  table({
    title: 'Nodes with inversions',
    description:
      'Nodes on which a pod would be evicted before a pod of a lower QoS class. Look at its ladder: either the request of the first is too low, or its priority is below that of the other.',
    noValue: 'No pod ranks before a pod of a lower QoS class',
    scope,
    width: 8,
    height: 9,
    sortBy: 'Inversions',
    descending: true,
    columns: [
      { label: 'node', title: 'Node', link: toLadder },
      { as: 'inversions', title: 'Inversions', expr: nodesWithInversions, unit: 'none', level: 'noneIsGood' },
    ],
  });
