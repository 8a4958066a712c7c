import type { RankedNode, RankedPod, Snapshot } from '../../snapshot/snapshot.ts';
import { HttpProblem } from './problem-details.ts';
import { visitNodes } from './visit-nodes.ts';

export interface FoundPod {
  readonly ranked: RankedPod;
  readonly node: RankedNode;
}

/** Finds nodes and pods of one snapshot by name. */
export interface ClusterIndex {
  node(name: string, cluster: string | undefined): RankedNode;
  pod(identity: { namespace: string; pod: string; cluster: string | undefined }): Promise<FoundPod>;
}

const indexes = new WeakMap<Snapshot, ClusterIndex>();

/** The index of a snapshot, built as far as it is used and gone with it. Its look-ups throw HttpProblem 404 or 400. */
export function indexOf(snapshot: Snapshot): ClusterIndex {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const created = createIndex(snapshot);
  indexes.set(snapshot, created);
  return created;
}

function createIndex({ nodes }: Snapshot): ClusterIndex {
  const nodesByName = new Map<string, RankedNode[]>();
  for (const node of nodes) push(nodesByName, node.node.name, node);
  let podsByName: ReturnType<typeof indexPods> | undefined;
  return {
    node: (name, cluster) =>
      pickOne(nodesByName.get(name), { what: `node ${name}`, cluster, clusterOf: (row) => row.node.cluster }),
    async pod({ namespace, pod, cluster }) {
      podsByName ??= indexPods(nodes);
      return pickOne((await podsByName).get(`${namespace}/${pod}`), {
        what: `pod ${namespace}/${pod}`,
        cluster,
        clusterOf: ({ ranked }) => ranked.pod.cluster,
      });
    },
  };
}

async function indexPods(nodes: readonly RankedNode[]): Promise<ReadonlyMap<string, FoundPod[]>> {
  const pods = new Map<string, FoundPod[]>();
  await visitNodes(nodes, (node) => {
    for (const ranked of node.pods) {
      push(pods, `${ranked.pod.namespace}/${ranked.pod.name}`, { ranked, node });
    }
  });
  return pods;
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
