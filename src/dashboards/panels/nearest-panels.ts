import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { ClusterScope } from '../identity.ts';
import { groups } from '../palette.ts';
import { nearest, podOnBasis, podValue, rank } from '../queries/pods.ts';
import { where } from '../queries/selector.ts';
import { table } from './table-panel.ts';

const { pods } = where;

export const podsNearestToEviction = (scope: ClusterScope) =>
  table({
    title: 'Pods nearest to eviction',
    description:
      'The hundred pods that the least loss of memory on their node would evict. Distance is that loss: headroom of the node plus the usage of the pods ranked before this one. 0 means next, now. Click a pod for its history, a node for its ladder.',
    noValue:
      'No distance is known: node memory is not among the inputs (evictrank check), or no pod is ranked yet',
    scope,
    width: 24,
    height: 12,
    sortBy: 'Distance',
    columns: [
      {
        as: 'distance',
        title: 'Distance',
        expr: nearest.distance,
        unit: 'bytes',
        decimals: 1,
        level: 'headroomBytes',
      },
      { label: 'namespace', title: 'Namespace' },
      { label: 'pod', title: 'Pod', link: { to: 'pod', set: { namespace: 'Namespace', pod: 'Pod' } } },
      { label: 'node', title: 'Node', link: { to: 'nodeLadder', set: { node: 'Node' } } },
      { as: 'rank', title: 'Rank', expr: nearest.only(rank('now', pods)), unit: 'none', level: 'rank' },
      { as: 'peakRank', title: 'Rank at peak', expr: nearest.only(rank('peak', pods)), unit: 'none' },
      { label: 'group', title: 'Group', shown: groups },
      { label: 'priority', title: 'Priority' },
      { label: 'qos_class', title: 'QoS class' },
      {
        as: 'usage',
        title: 'Usage',
        expr: nearest.only(podValue(metrics.podMemoryUsage, pods)),
        unit: 'bytes',
        decimals: 1,
      },
      {
        as: 'request',
        title: 'Request',
        expr: nearest.only(podValue(metrics.podMemoryRequest, pods)),
        unit: 'bytes',
        decimals: 1,
      },
      {
        as: 'ratio',
        title: 'Usage of request',
        expr: nearest.only(podOnBasis(metrics.podMemoryUsageRequestRatio, 'now', pods)),
        unit: 'percentunit',
        level: 'usageOfRequest',
      },
    ],
  });
