import type { DemoCluster } from '../../src/demo/cluster/description.ts';
import { buildNode, type NodeSpec } from '../../src/demo/cluster/node.ts';
import { buildPod, type PodSpec } from '../../src/demo/cluster/pod.ts';

/**
 * A small cluster in a few lines: say only what the test is about. `seriesOf` of `src/demo/cluster/cluster-series.ts`
 * makes its series, `startPrometheusWith` puts them into a real Prometheus.
 */
export function clusterOf(spec: {
  readonly nowMs: number;
  readonly nodes: readonly NodeSpec[];
  readonly pods: readonly PodSpec[];
  readonly priorityClasses?: Readonly<Record<string, number>>;
}): DemoCluster {
  const priorityClasses = spec.priorityClasses ?? {};
  return {
    nowMs: spec.nowMs,
    nodes: spec.nodes.map(buildNode),
    pods: spec.pods.map((pod) => {
      const priority = pod.priority ?? priorityClasses[pod.priorityClass ?? ''];
      return buildPod({ ...pod, ...(priority === undefined ? {} : { priority }) }, spec.nowMs);
    }),
    priorityClasses,
    limitRanges: [],
    autoscalers: [],
  };
}
