import { metrics } from '../../outputs/metrics/catalogue.ts';
import type { ClusterScope } from '../identity.ts';
import { one, select } from '../queries/selector.ts';
import {
  allReplicas,
  byNamespace,
  missing,
  reclaimable,
  sizing,
  workloadValue,
} from '../queries/workloads.ts';
import { stat } from './stat-panel.ts';
import { type Column, table } from './table-panel.ts';

const bytes = { unit: 'bytes', decimals: 1 } as const;
const noRecommendation =
  'No recommendation yet: the window holds too little history (see "evictrank itself"), or no workload has a peak';

const request = workloadValue(metrics.workloadMemoryRequest);
const peak = workloadValue(metrics.workloadMemoryPeak);
const recommended = workloadValue(metrics.workloadMemoryRecommendedRequest);
const replicas = workloadValue(metrics.workloadReplicas);

export const requestedTotal = () =>
  stat({
    title: 'Requested',
    description: 'Memory requested by all workloads: the request of a pod times the replicas.',
    noValue: 'No workload requests memory',
    expr: `sum(${allReplicas(request)})`,
    ...bytes,
    level: 'plain',
    width: 6,
  });

export const recommendedTotal = () =>
  stat({
    title: 'Recommended',
    description:
      'What all workloads would request by the recommendation: window peak plus a margin, times replicas.',
    noValue: noRecommendation,
    expr: `sum(${allReplicas(recommended)})`,
    ...bytes,
    level: 'plain',
    width: 6,
  });

export const reclaimableTotal = () =>
  stat({
    title: 'Reclaimable',
    description: 'Request beyond the recommendation, over the workloads that ask for too much.',
    noValue: noRecommendation,
    expr: `sum(${reclaimable})`,
    ...bytes,
    level: 'plain',
    width: 6,
  });

export const missingTotal = () =>
  stat({
    title: 'Missing',
    description:
      'Recommendation beyond the request, over the workloads that ask for too little. These pods go first under pressure.',
    noValue: noRecommendation,
    expr: `sum(${missing})`,
    ...bytes,
    level: 'overRequest',
    width: 6,
  });

const workloadColumns = (only: (vector: string) => string): readonly Column[] => [
  { label: 'namespace', title: 'Namespace' },
  { label: 'workload_kind', title: 'Kind' },
  {
    label: 'workload',
    title: 'Workload',
    link: { to: 'pod', set: { namespace: 'Namespace', workload: 'Workload' } },
  },
  { as: 'replicas', title: 'Replicas', expr: only(replicas), unit: 'none' },
  { as: 'request', title: 'Request', expr: only(request), ...bytes },
  { as: 'peak', title: 'Peak', expr: only(peak), ...bytes },
  { as: 'recommended', title: 'Recommended', expr: only(recommended), ...bytes },
  {
    as: 'ratio',
    title: 'Peak of request',
    expr: only(`${peak} / on (cluster, namespace, workload_kind, workload) (${request} > 0)`),
    unit: 'percentunit',
    level: 'usageOfRequest',
  },
];

export const requestsTooHigh = (scope: ClusterScope) =>
  table({
    title: 'Requests too high',
    description:
      'The two hundred workloads with the most memory requested beyond the recommendation. Request, peak and recommendation are per pod; waste is over all replicas. The peak covers past generations of the workload.',
    noValue: `No workload requests more than recommended. Or: ${noRecommendation}`,
    scope,
    width: 24,
    height: 11,
    sortBy: 'Waste',
    descending: true,
    columns: [
      { as: 'waste', title: 'Waste', expr: sizing.oversized, ...bytes },
      ...workloadColumns(sizing.onlyOversized),
    ],
  });

export const requestsTooLow = (scope: ClusterScope) =>
  table({
    title: 'Requests too low',
    description:
      'The two hundred workloads with the most memory used beyond the request plus margin. Raise these before anything is shrunk: the kubelet takes pods over their request first, whatever their priority.',
    noValue: `No workload requests less than recommended. Or: ${noRecommendation}`,
    scope,
    width: 24,
    height: 11,
    sortBy: 'Missing',
    descending: true,
    columns: [
      { as: 'missing', title: 'Missing', expr: sizing.undersized, ...bytes, level: 'overRequest' },
      ...workloadColumns(sizing.onlyUndersized),
    ],
  });

export const namespaces = (scope: ClusterScope) =>
  table({
    title: 'By namespace',
    description: 'Requested and recommended memory, waste and shortage of each namespace, over all replicas.',
    noValue: 'No workload is known yet',
    scope,
    width: 14,
    height: 10,
    sortBy: 'Waste',
    descending: true,
    columns: [
      { label: 'namespace', title: 'Namespace' },
      { as: 'requested', title: 'Requested', expr: byNamespace(allReplicas(request)), ...bytes },
      { as: 'recommended', title: 'Recommended', expr: byNamespace(allReplicas(recommended)), ...bytes },
      { as: 'waste', title: 'Waste', expr: byNamespace(reclaimable), ...bytes },
      { as: 'missing', title: 'Missing', expr: byNamespace(missing), ...bytes, level: 'overRequest' },
    ],
  });

const priorityPods = one('priority, priority_class', select(metrics.priorityPods));

export const priorities = () =>
  table({
    title: 'Priorities in use',
    description:
      'Pods by priority. Priority decides only between pods of the same comparator group; where most pods share the highest class it decides nothing (priority inflation). Counted over all clusters and namespaces.',
    noValue: 'No pod is known yet',
    scope: 'one-cluster',
    width: 10,
    height: 10,
    sortBy: 'Pods',
    descending: true,
    columns: [
      { label: 'priority', title: 'Priority' },
      { label: 'priority_class', title: 'Priority class' },
      { as: 'pods', title: 'Pods', expr: priorityPods, unit: 'none' },
      {
        as: 'share',
        title: 'Share',
        expr: `${priorityPods} / on () group_left () sum(${priorityPods})`,
        unit: 'percentunit',
        decimals: 1,
      },
    ],
  });
