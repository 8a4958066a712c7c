import type { RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { HttpProblem } from './problem-details.ts';

/** Finds nodes and pods of one snapshot by name. */
export interface ClusterIndex {
  node(name: string, cluster: string | undefined): RankedNode;
  pod(identity: { namespace: string; pod: string; cluster: string | undefined }): {
    ranked: RankedPod;
    node: RankedNode;
  };
}

const indexes = new WeakMap<Snapshot, ClusterIndex>();

/** The index of a snapshot, built at its first use and gone with it. Its look-ups throw HttpProblem 404 or 400. */
export function indexOf(snapshot: Snapshot): ClusterIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const built = buildIndex(snapshot);
  indexes.set(snapshot, built);
  return built;
}

function buildIndex(snapshot: Snapshot): ClusterIndex {
  const nodes = new Map<string, RankedNode[]>();
  const pods = new Map<string, { ranked: RankedPod; node: RankedNode }[]>();
  for (const node of snapshot.nodes) {
    push(nodes, node.node.name, node);
    for (const ranked of node.pods)
      push(pods, `${ranked.pod.namespace}/${ranked.pod.name}`, { ranked, node });
  }
  return {
    node: (name, cluster) =>
      pickOne(nodes.get(name), { what: `node ${name}`, cluster, clusterOf: (row) => row.node.cluster }),
    pod: ({ namespace, pod, cluster }) =>
      pickOne(pods.get(`${namespace}/${pod}`), {
        what: `pod ${namespace}/${pod}`,
        cluster,
        clusterOf: ({ ranked }) => ranked.pod.cluster,
      }),
  };
}

function push<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Node and pod names repeat across clusters, so a name alone may be ambiguous. */
function pickOne<T>(
  candidates: readonly T[] = [],
  wanted: { what: string; cluster: string | undefined; clusterOf: (row: T) => string | undefined },
): T {
  const { what, cluster, clusterOf } = wanted;
  const fitting = cluster === undefined ? candidates : candidates.filter((row) => clusterOf(row) === cluster);
  const [first, second] = fitting;
  if (first === undefined) {
    throw new HttpProblem(404, 'Not found', `there is no ${what} in the data of the last refresh`);
  }
  if (second !== undefined) {
    const names = fitting.map((row) => clusterOf(row)).join(', ');
    throw new HttpProblem(400, 'Ambiguous name', `${what} is in several clusters (${names}): add ?cluster=`);
  }
  return first;
}
