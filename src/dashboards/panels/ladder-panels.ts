import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { Basis } from '../../snapshot/snapshot.ts';
import type { ClusterScope } from '../identity.ts';
import { deciders, groups } from '../palette.ts';
import { decidedBy } from '../queries/deciding.ts';
import {
  podOnBasis,
  podValue,
  protectedPods,
  rank,
  rankedOnly,
  withGroup,
  withInfo,
} from '../queries/pods.ts';
import { where } from '../queries/selector.ts';
import { type Column, table } from './table-panel.ts';

const here = where.oneNode;
const toPod = { to: 'pod', set: { namespace: 'Namespace', pod: 'Pod' } } as const;
const noRank =
  'No pod is ranked on this node: its data are missing (see "Data"), or every pod on it is protected';

const names: readonly Column[] = [
  { label: 'namespace', title: 'Namespace' },
  { label: 'pod', title: 'Pod', link: toPod },
];

const rankColumn = (basis: Basis, expr: string): Column => ({
  as: 'rank',
  title: 'Rank',
  expr: withGroup(expr, basis, here),
  unit: 'none',
  level: 'rank',
  pixels: 70,
});

const decidedColumns = (basis: Basis): readonly Column[] => [
  { label: 'group', title: 'Group', shown: groups },
  { as: 'decided', title: 'Decision', expr: decidedBy(basis, here), unit: 'none', hidden: true },
  { label: 'decided_by', title: 'Decided by', shown: deciders },
];

const overRequest = (basis: Basis): Column => ({
  as: 'over',
  title: 'Over request',
  expr: rankedOnly(podOnBasis(metrics.podMemoryOverRequest, basis, here), here),
  unit: 'bytes',
  decimals: 1,
  level: 'overRequest',
});

/** The whole order as of now. */
export const ladder = (scope: ClusterScope) =>
  table({
    title: 'Eviction order now',
    description:
      'The order in which the kubelet would evict the pods of this node under memory pressure right now. It compares group (no figures, over request, within request), then priority (lower goes first), then the amount of usage minus request (more goes first). "Decided by" names which of these puts a pod before the next rank; pods with the same rank are tied. Distance is how much more memory the node must lose before the kubelet takes the pod; it is not known behind a pod without usage data.',
    noValue: noRank,
    scope,
    width: 24,
    height: 14,
    sortBy: 'Rank',
    columns: [
      rankColumn('now', withInfo(rank('now', here), here)),
      ...names,
      ...decidedColumns('now'),
      { label: 'priority', title: 'Priority' },
      { label: 'qos_class', title: 'QoS class' },
      {
        as: 'usage',
        title: 'Usage',
        expr: rankedOnly(podValue(metrics.podMemoryUsage, here), here),
        unit: 'bytes',
        decimals: 1,
      },
      {
        as: 'request',
        title: 'Request',
        expr: rankedOnly(podValue(metrics.podMemoryRequest, here), here),
        unit: 'bytes',
        decimals: 1,
      },
      overRequest('now'),
      {
        as: 'distance',
        title: 'Distance',
        expr: rankedOnly(podValue(metrics.podEvictionDistance, here), here),
        unit: 'bytes',
        decimals: 1,
        level: 'headroomBytes',
      },
    ],
  });

const bases = {
  now: { title: 'On basis now', what: 'with the working sets of this moment' },
  peak: { title: 'On basis peak', what: 'with every pod at its highest working set of the window' },
} as const satisfies Record<Basis, object>;

/** The order on one basis, narrow enough to stand beside the other. */
export const ladderOnBasis = (basis: Basis, scope: ClusterScope) =>
  table({
    title: bases[basis].title,
    description: `The eviction order ${bases[basis].what}. A pod far higher on basis peak than on basis now has been in more danger than it is.`,
    noValue: noRank,
    scope,
    width: 12,
    height: 12,
    sortBy: 'Rank',
    columns: [rankColumn(basis, rank(basis, here)), ...names, ...decidedColumns(basis), overRequest(basis)],
  });

export const protectedTable = (scope: ClusterScope) =>
  table({
    title: 'Protected pods',
    description:
      'Pods the kubelet never evicts: static and mirror pods, and those with priority 2000000000 or more. They use memory that no eviction can win back.',
    noValue: 'No protected pod on this node',
    scope,
    width: 12,
    height: 9,
    sortBy: 'Usage',
    descending: true,
    columns: [
      {
        as: 'protected',
        title: 'Protected',
        expr: withInfo(protectedPods(here), here, 'priority, priority_class'),
        unit: 'none',
        hidden: true,
      },
      ...names,
      { label: 'priority', title: 'Priority' },
      { label: 'priority_class', title: 'Priority class' },
      {
        as: 'usage',
        title: 'Usage',
        expr: `${podValue(metrics.podMemoryUsage, here)} and on (cluster, namespace, pod) ${protectedPods(here)}`,
        unit: 'bytes',
        decimals: 1,
      },
    ],
  });
