import type { ClusterScope } from '../identity.ts';
import { layOut } from '../layout.ts';
import { clusterMemoryOverTime, nodeMemoryShares } from '../panels/capacity-node-panels.ts';
import {
  missingTotal,
  namespaces,
  priorities,
  reclaimableTotal,
  recommendedTotal,
  requestedTotal,
  requestsTooHigh,
  requestsTooLow,
} from '../panels/capacity-panels.ts';
import { variables } from '../variables.ts';

export const capacityReview = (scope: ClusterScope) =>
  layOut({
    board: 'capacityReview',
    description: 'Where memory is requested and not used, or used and not requested.',
    from: 'now-7d',
    variables: [
      variables.datasource(),
      variables.cluster(scope),
      variables.namespace('all'),
      variables.node('all'),
    ],
    rows: [
      {
        title: 'Totals',
        panels: [requestedTotal(), recommendedTotal(), reclaimableTotal(), missingTotal()],
      },
      { title: 'Workloads', panels: [requestsTooLow(scope), requestsTooHigh(scope)] },
      { title: 'Namespaces and priorities', panels: [namespaces(scope), priorities()] },
      { title: 'Nodes (all namespaces)', panels: [nodeMemoryShares(scope), clusterMemoryOverTime()] },
    ],
  });
