import type { ClusterScope } from '../identity.ts';
import { layOut } from '../layout.ts';
import {
  assumptionAgainstOutcome,
  evictedByClass,
  evictedByClassOverTime,
  evictedPodsTable,
  evictionsByNode,
  evictionsInRange,
  evictionsOverTime,
} from '../panels/eviction-panels.ts';
import { variables } from '../variables.ts';

export const evictionsByQosClass = (scope: ClusterScope) =>
  layOut({
    board: 'evictions',
    description:
      'Which pods were evicted, for which signal, and whether their QoS class was the one that one assumes.',
    from: 'now-24h',
    variables: [
      variables.datasource(),
      variables.cluster(scope),
      variables.namespace('all'),
      variables.node('all'),
    ],
    rows: [
      { title: 'In sum', panels: [evictionsInRange(), evictedByClass()] },
      { title: 'Over time', panels: [evictionsOverTime(), evictedByClassOverTime()] },
      {
        title: 'Where they landed',
        panels: [assumptionAgainstOutcome(), evictionsByNode(scope), evictedPodsTable(scope)],
      },
    ],
  });
