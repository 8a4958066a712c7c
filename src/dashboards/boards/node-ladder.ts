import { evictionMarks } from '../annotations.ts';
import type { ClusterScope } from '../identity.ts';
import { layOut } from '../layout.ts';
import { ladder, ladderOnBasis, protectedTable } from '../panels/ladder-panels.ts';
import {
  availableOverTime,
  nodeAvailable,
  nodeData,
  nodeEvictionsOverTime,
  nodeHeadroom,
  nodeInversions,
  nodePeaks,
  nodeRequests,
  nodeThreshold,
  podMemoryOverTime,
} from '../panels/one-node-panels.ts';
import { variables } from '../variables.ts';

export const nodeLadder = (scope: ClusterScope) =>
  layOut({
    board: 'nodeLadder',
    description:
      'One node: in which order the kubelet would evict its pods, how far each is from it, and why.',
    from: 'now-6h',
    variables: [variables.datasource(), variables.cluster(scope), variables.node('single')],
    annotations: [evictionMarks()],
    rows: [
      {
        title: 'Memory of the node',
        panels: [
          nodeData(),
          nodeHeadroom(),
          nodeAvailable(),
          nodeThreshold(),
          nodeRequests(),
          nodeInversions(),
          nodePeaks(),
        ],
      },
      { title: 'Ladder', panels: [ladder(scope)] },
      { title: 'Both bases', panels: [ladderOnBasis('now', scope), ladderOnBasis('peak', scope)] },
      {
        title: 'Over time',
        panels: [availableOverTime(), podMemoryOverTime(), nodeEvictionsOverTime(), protectedTable(scope)],
      },
    ],
  });
