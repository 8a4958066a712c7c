import { AnnotationQueryBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './palette.ts';
import { oomRestarts } from './queries/containers.ts';
import { evictedPodsOfWorkload, evictionsIn } from './queries/evictions.ts';
import { datasource } from './variables.ts';

interface Marks {
  readonly name: string;
  readonly expr: string;
  readonly colour: string;
  readonly text: string;
}

function marks({ name, expr, colour, text }: Marks): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(datasource)
    .enable(true)
    .iconColor(colour)
    .expr(expr)
    .step('60s')
    .titleFormat(name)
    .textFormat(text);
}

/** Evictions that the kubelets of the chosen nodes counted. */
export const evictionMarks = () =>
  marks({
    name: 'Evictions',
    expr: `${evictionsIn('$__rate_interval')} > 0`,
    colour: colours.bad,
    text: '{{node}}: {{eviction_signal}}',
  });

export const oomKillMarks = () =>
  marks({ name: 'OOM kills', expr: `(${oomRestarts}) > 0`, colour: colours.other, text: '{{container}}' });

/** Moments at which a pod of the workload turned up as evicted. */
export const workloadEvictionMarks = () =>
  marks({
    name: 'Evictions of the workload',
    expr: `${evictedPodsOfWorkload()} unless on (cluster, namespace, pod) kube_pod_status_reason{reason="Evicted"} offset 2m == 1`,
    colour: colours.bad,
    text: '{{pod}}',
  });
