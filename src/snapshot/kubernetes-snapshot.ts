import type { KubernetesCluster } from '../model/kubernetes/kubernetes-cluster.ts';
import { noWindow } from '../window/no-window.ts';
import { buildSnapshot, type SnapshotSettings } from './build.ts';
import type { InputState, RankedNode, Snapshot } from './snapshot.ts';

/** A snapshot of what files of kubectl say; the peak basis is the same as now. */
export function buildKubernetesSnapshot(
  { cluster, partialNodes }: KubernetesCluster,
  settings: Omit<SnapshotSettings, 'hasClusterLabel'> & { readonly inputs: readonly InputState[] },
): Snapshot {
  const { inputs, ...rest } = settings;
  const snapshot = buildSnapshot({ cluster, window: noWindow, inputs }, { ...rest, hasClusterLabel: false });
  const nodes = snapshot.nodes.map((node) =>
    partialNodes.has(node.node.name) ? withoutDistances(node) : node,
  );
  return Object.freeze({ ...snapshot, nodes: Object.freeze(nodes) });
}

/**
 * A pod that could not be read is missing from the node. Two others still compare as they do, so their order stands;
 * but what the missing one would give back, and its request, belong into every sum.
 */
function withoutDistances(node: RankedNode): RankedNode {
  return {
    ...node,
    complete: false,
    requestsBytes: undefined,
    qosOrderInversions: undefined,
    pods: node.pods.map((pod) => ({ ...pod, distanceBytes: undefined })),
  };
}
