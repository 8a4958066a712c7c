import { metrics } from '../../outputs/metrics/catalogue.ts';
import { nodeValue } from '../queries/nodes.ts';
import { noHeadroom, noNodes } from './node-texts.ts';
import { stat } from './stat-panel.ts';

export const nodeCount = () =>
  stat({
    title: 'Nodes',
    description: 'Nodes that evictrank knows of, within the chosen clusters and nodes.',
    noValue: noNodes,
    expr: `count(${nodeValue(metrics.nodeComplete)})`,
    unit: 'none',
    level: 'plain',
  });

export const nodesWithoutData = () =>
  stat({
    title: 'Nodes without data',
    description:
      'Nodes whose usage data are missing. Nothing is ranked there, so silence about them says nothing.',
    noValue: noNodes,
    expr: `sum(1 - ${nodeValue(metrics.nodeComplete)})`,
    unit: 'none',
    level: 'noneIsGoodElseBad',
  });

export const nodesAtThreshold = () =>
  stat({
    title: 'Nodes at the threshold',
    description:
      'Nodes with no headroom left: available memory is at or below the hard eviction threshold, so the kubelet evicts.',
    noValue: noHeadroom,
    expr: `sum(${nodeValue(metrics.nodeEvictionHeadroom)} <= bool 0)`,
    unit: 'none',
    level: 'noneIsGoodElseBad',
  });

export const lowestHeadroom = () =>
  stat({
    title: 'Lowest headroom',
    description:
      'Least memory that any node can still lose before its hard eviction threshold is met. Negative once it is.',
    noValue: noHeadroom,
    expr: `min(${nodeValue(metrics.nodeEvictionHeadroom)})`,
    unit: 'bytes',
    decimals: 1,
    level: 'headroomBytes',
  });

export const inversionCount = () =>
  stat({
    title: 'QoS order inversions',
    description:
      'Pods that would be evicted before a pod of a lower QoS class, because the kubelet ranks by request, priority and usage, never by class.',
    noValue: noNodes,
    expr: `sum(${nodeValue(metrics.nodeQosOrderInversions)})`,
    unit: 'none',
    level: 'noneIsGood',
  });
