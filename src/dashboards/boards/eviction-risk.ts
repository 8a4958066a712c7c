import { evictionMarks } from '../annotations.ts';
import type { ClusterScope } from '../identity.ts';
import { layOut } from '../layout.ts';
import { headroomOverTime, inversionsByNode, nodesByHeadroom } from '../panels/fleet-node-panels.ts';
import {
  inversionCount,
  lowestHeadroom,
  nodeCount,
  nodesAtThreshold,
  nodesWithoutData,
} from '../panels/fleet-stat-panels.ts';
import { groupsByClass, groupsOverTime, podsOverRequest } from '../panels/group-panels.ts';
import { podsNearestToEviction } from '../panels/nearest-panels.ts';
import { variables } from '../variables.ts';

export const evictionRisk = (scope: ClusterScope) =>
  layOut({
    board: 'evictionRisk',
    description: 'Which nodes are short of memory, and which pods the kubelet would evict first.',
    from: 'now-6h',
    variables: [
      variables.datasource(),
      variables.cluster(scope),
      variables.namespace('all'),
      variables.node('all'),
    ],
    annotations: [evictionMarks()],
    rows: [
      {
        title: 'At a glance',
        panels: [
          nodeCount(),
          nodesWithoutData(),
          nodesAtThreshold(),
          lowestHeadroom(),
          podsOverRequest(),
          inversionCount(),
        ],
      },
      { title: 'Nodes', panels: [nodesByHeadroom(scope), headroomOverTime()] },
      { title: 'Pods', panels: [podsNearestToEviction(scope)] },
      {
        title: 'Groups and classes (all namespaces)',
        panels: [groupsByClass(), groupsOverTime(), inversionsByNode(scope)],
      },
    ],
  });
