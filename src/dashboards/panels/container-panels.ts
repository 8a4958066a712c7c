import type { ClusterScope } from '../identity.ts';
import { yesNo } from '../palette.ts';
import {
  allRestarts,
  containerLimit,
  containerRequest,
  containerRestarts,
  containerUsage,
  lastEndedByOomKill,
} from '../queries/containers.ts';
import { evictedPodsOfWorkload } from '../queries/evictions.ts';
import { table } from './table-panel.ts';
import { timeSeries } from './time-series-panel.ts';

export const containers = (scope: ClusterScope) =>
  table({
    title: 'Containers',
    description:
      'Memory of each container against its own request and limit, and whether it was last ended by the OOM killer. A container without a limit can take the node; one at its limit is OOM-killed.',
    noValue: 'Neither cAdvisor nor kube-state-metrics has series for the containers of this pod',
    scope,
    width: 12,
    height: 9,
    sortBy: 'Usage',
    descending: true,
    columns: [
      { label: 'container', title: 'Container' },
      { as: 'usage', title: 'Usage', expr: containerUsage, unit: 'bytes', decimals: 1 },
      { as: 'request', title: 'Request', expr: containerRequest, unit: 'bytes', decimals: 1 },
      { as: 'limit', title: 'Limit', expr: containerLimit, unit: 'bytes', decimals: 1 },
      {
        as: 'ratio',
        title: 'Of limit',
        expr: `${containerUsage} / on (cluster, namespace, pod, container) ${containerLimit}`,
        unit: 'percentunit',
        level: 'fullness',
      },
      { as: 'restarts', title: 'Restarts', expr: containerRestarts, unit: 'none', level: 'noneIsGood' },
      { as: 'oom', title: 'OOM-killed', expr: lastEndedByOomKill, unit: 'none', shown: yesNo },
    ],
  });

export const restartsOverTime = () =>
  timeSeries({
    title: 'Restarts',
    description:
      'Restarts of the containers. The marks on the panels are those whose last end was an OOM kill.',
    noValue: 'kube-state-metrics has no restart counter for this pod',
    width: 12,
    height: 9,
    unit: 'none',
    min: 0,
    style: 'stacked bars',
    lines: [{ expr: allRestarts, legend: '{{container}}', minStep: '5m' }],
  });

export const evictedOfWorkload = (scope: ClusterScope) =>
  table({
    title: 'Evicted pods of the workload',
    description:
      'Pods of the chosen workload that were evicted and are still in the cluster as objects. A controller replaces an evicted pod under a new name, so they are listed by workload; a DaemonSet deletes its own at once.',
    noValue: 'No evicted pod of this workload is left in the cluster',
    scope,
    width: 24,
    height: 7,
    sortBy: 'Pod',
    columns: [
      { as: 'evicted', title: 'Evicted', expr: evictedPodsOfWorkload(), unit: 'none', hidden: true },
      { label: 'namespace', title: 'Namespace' },
      { label: 'pod', title: 'Pod' },
      { label: 'qos_class', title: 'QoS class' },
    ],
  });
