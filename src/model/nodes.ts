import { compareText } from '../foundation/text-order.ts';
import type { CollectedInputs } from '../inputs/collect.ts';
import type { LivePods } from './generations.ts';
import { clusterOf, clustersOf, joinKey } from './keys.ts';
import type { Node } from './node.ts';
import { nodeFacts } from './node-facts.ts';
import type { Pod } from './pod.ts';
import type { BuiltPods } from './pods.ts';
import { type InputProblem, problem } from './problem.ts';

/** Every node that an input or a pod names, with its pods. */
export function buildNodes(
  inputs: CollectedInputs,
  { pods, lostUsage, lost }: Pick<BuiltPods, 'pods' | 'lostUsage'> & Pick<LivePods, 'lost'>,
): Node[] {
  const facts = nodeFacts(inputs);
  const podsByNode = new Map<string, Pod[]>();
  for (const key of facts.keys()) podsByNode.set(key, []);
  for (const pod of pods) {
    const key = joinKey(pod.cluster, pod.node);
    const there = podsByNode.get(key);
    if (there === undefined) podsByNode.set(key, [pod]);
    else there.push(pod);
  }
  const { keys } = inputs.rows.pods;
  const lostByNode = new Map<string, number>();
  for (const labels of lost) {
    const key = joinKey(clusterOf({ labels }, keys), labels[keys.node] ?? '');
    lostByNode.set(key, (lostByNode.get(key) ?? 0) + 1);
    if (!podsByNode.has(key)) podsByNode.set(key, []);
  }
  const hasCluster = keys.cluster !== undefined;
  const withPods = clustersOf(inputs.rows.pods);
  const withPhases = clustersOf(inputs.rows.pod_phase);
  return [...podsByNode]
    .map(([key, there]): Node => {
      const [clusterText = '', name = ''] = key.split('\0');
      const cluster = hasCluster ? clusterText : undefined;
      return {
        cluster,
        name,
        capacityBytes: undefined,
        allocatableBytes: undefined,
        workingSetBytes: undefined,
        kubeletVersion: undefined,
        ...facts.get(key),
        // A scrape hole is not "no stats": with no usage at all on the node, nothing is known of any of its pods.
        // A Pending pod has not started; that it has no usage says nothing.
        // Without the pods of its cluster a node would look empty, and so safe.
        hasUsageData:
          withPods.has(cluster) &&
          withPhases.has(cluster) &&
          (there.every((pod) => pod.phase === 'Pending') ||
            there.some((pod) => pod.usageBytes !== undefined)),
        podsWithLostSamples: there.filter((pod) => lostUsage.has(pod)).length + (lostByNode.get(key) ?? 0),
        pods: there.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name)),
      };
    })
    .sort((a, b) => compareText(a.cluster ?? '', b.cluster ?? '') || compareText(a.name, b.name));
}

export function nodeProblems(node: Node): InputProblem[] {
  // Where its cluster has no pods, the input that lacks them is the problem.
  if (node.hasUsageData || node.pods.length === 0) return [];
  return [
    problem('node_without_usage', {
      subject: node.name,
      message: `none of the ${node.pods.length} pods on ${node.name} has memory usage, so the node is not ranked`,
      remedy: "check that Prometheus reaches the kubelet's /metrics/cadvisor on this node",
    }),
  ];
}
