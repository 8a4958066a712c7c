import { oomKillMarks, workloadEvictionMarks } from '../annotations.ts';
import type { ClusterScope } from '../identity.ts';
import { layOut } from '../layout.ts';
import { containers, evictedOfWorkload, restartsOverTime } from '../panels/container-panels.ts';
import {
  podDistance,
  podIdentity,
  podOverRequest,
  podRank,
  podRankOverTime,
  podTimeOverRequest,
  podTimeOverRequestOverTime,
  podUsageOverTime,
  podUsageRatio,
} from '../panels/pod-panels.ts';
import { variables } from '../variables.ts';

export const podBoard = (scope: ClusterScope) =>
  layOut({
    board: 'pod',
    description:
      'One pod: its memory against request and limit, and its place in the eviction order, over the window.',
    from: 'now-7d',
    variables: [
      variables.datasource(),
      variables.cluster(scope),
      variables.namespace('single'),
      variables.workload(),
      variables.pod(),
    ],
    annotations: [oomKillMarks(), workloadEvictionMarks()],
    rows: [
      {
        title: 'Now',
        panels: [
          podIdentity(),
          podRank('now'),
          podRank('peak'),
          podDistance(),
          podOverRequest(),
          podUsageRatio(),
          podTimeOverRequest(),
        ],
      },
      { title: 'Over time', panels: [podUsageOverTime(), podRankOverTime(), podTimeOverRequestOverTime()] },
      {
        title: 'Containers and evictions',
        panels: [containers(scope), restartsOverTime(), evictedOfWorkload(scope)],
      },
    ],
  });
