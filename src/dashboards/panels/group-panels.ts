import { groups, qosClasses } from '../palette.ts';
import { nodePods } from '../queries/nodes.ts';
import { where } from '../queries/selector.ts';
import { barChart } from './bar-chart-panel.ts';
import { stat } from './stat-panel.ts';
import { timeSeries } from './time-series-panel.ts';

const noPods = 'No pod is ranked yet: evictrank is not scraped, or has not finished its first refresh';

export const podsOverRequest = () =>
  stat({
    title: 'Pods over request',
    description:
      'Pods that use more than they request, or have no usage data. The kubelet takes these before all others, whatever their priority.',
    noValue: noPods,
    expr: `sum(${nodePods(where.nodes, 'group=~"no_stats|exceeds_request"')}) or 0 * sum(${nodePods(where.nodes)})`,
    unit: 'none',
    level: 'noneIsGood',
  });

export const groupsByClass = () =>
  barChart({
    title: 'Comparator groups by QoS class',
    description:
      'How many pods of each QoS class are in each group of the eviction order. The class itself decides nothing: a Burstable pod within its request is in the same group as a Guaranteed one.',
    noValue: noPods,
    width: 8,
    height: 9,
    unit: 'none',
    expr: `sum by (group, qos_class) (${nodePods(where.nodes)})`,
    bars: { label: 'group', shown: groups },
    parts: { label: 'qos_class', shown: qosClasses },
  });

export const groupsOverTime = () =>
  timeSeries({
    title: 'Pods by comparator group over time',
    description: 'Growth of "Over request" means that requests lag behind use.',
    noValue: noPods,
    width: 8,
    height: 9,
    unit: 'none',
    min: 0,
    style: 'stacked area',
    lines: [{ expr: `sum by (group) (${nodePods(where.nodes)})`, legend: '{{group}}' }],
    colours: groups,
  });
