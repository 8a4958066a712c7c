import type { InputId } from '../../inputs/catalogue.ts';
import type { CollectedInput, CollectedInputs } from '../../inputs/collect.ts';
import type { Cluster } from '../../model/cluster.ts';
import { findLivePods } from '../../model/generations.ts';
import { podKey } from '../../model/keys.ts';
import type { Node } from '../../model/node.ts';
import type { SourceProbe } from './probe.ts';

/** Share of the running pods, or of the nodes, that an input knows something of. */
export interface Coverage {
  readonly of: 'pods' | 'nodes';
  readonly covered: number;
  readonly total: number;
  /** True where anything below all means that something is missing; few pods have a sidecar. */
  readonly isExpectedFull: boolean;
}

const podInputs: Partial<Record<InputId, { readonly isExpectedFull: boolean }>> = {
  pods: { isExpectedFull: true },
  pod_phase: { isExpectedFull: true },
  pod_qos: { isExpectedFull: true },
  pod_usage: { isExpectedFull: true },
  pod_request: { isExpectedFull: false },
  init_request: { isExpectedFull: false },
  sidecars: { isExpectedFull: false },
  pod_overhead: { isExpectedFull: false },
  pod_priority: { isExpectedFull: false },
  static_pods: { isExpectedFull: false },
};

const nodeInputs: Partial<Record<InputId, keyof Node>> = {
  node_capacity: 'capacityBytes',
  node_allocatable: 'allocatableBytes',
  node_working_set: 'workingSetBytes',
};

/** Keys of the pods that run: what coverage is measured against. */
export function runningPods(inputs: CollectedInputs): ReadonlySet<string> {
  const { keys } = inputs.rows.pods;
  const names = findLivePods(inputs).living.map((pod) =>
    pod?.phase === 'Running' ? podKey(pod.sample, keys) : undefined,
  );
  return new Set(names.filter((name) => name !== undefined));
}

/** undefined where coverage says nothing, such as for owners of ReplicaSets. */
export function coverageOf(
  row: CollectedInput,
  { running, cluster }: { readonly running: ReadonlySet<string>; readonly cluster: Cluster },
): Coverage | undefined {
  const podInput = podInputs[row.id];
  if (podInput !== undefined) {
    return { of: 'pods', covered: countPods(row, row.keys, running), total: running.size, ...podInput };
  }
  const fact = nodeInputs[row.id];
  if (fact === undefined) return undefined;
  const covered = cluster.nodes.filter((node) => node[fact] !== undefined).length;
  return { of: 'nodes', covered, total: cluster.nodes.length, isExpectedFull: true };
}

/** Running pods that one source knows, whether or not it is the one used. */
export function countPods(
  { samples }: Pick<SourceProbe, 'samples'>,
  keys: CollectedInput['keys'],
  running: ReadonlySet<string>,
): number {
  const names = new Set(samples.map((sample) => podKey(sample, keys)));
  return [...running].filter((name) => names.has(name)).length;
}
