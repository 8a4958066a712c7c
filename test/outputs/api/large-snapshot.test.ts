import { expect, it } from 'vitest';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';
import { startApi } from './api-server.ts';

const podsPerNode = 100;

/** Pods of a node become objects when they are looked at, which costs time: this tells whose were, and in which turn of the event loop. */
function watched(nodeCount: number) {
  const looks: { readonly node: string; readonly turn: number }[] = [];
  let turn = 0;
  const nextTurn = (): void => {
    turn++;
    timer = setImmediate(nextTurn);
  };
  let timer = setImmediate(nextTurn);
  const plain = snapshotOf(
    Array.from({ length: nodeCount }, (_, n) =>
      nodeOf({
        name: `n${String(n).padStart(3, '0')}`,
        workingSetBytes: n,
        pods: Array.from({ length: podsPerNode }, (_, p) =>
          podOf({ name: `p${n}-${p}`, node: `n${String(n).padStart(3, '0')}` }),
        ),
      }),
    ),
  );
  const snapshot: Snapshot = {
    ...plain,
    nodes: plain.nodes.map((node) => ({
      ...node,
      get pods() {
        looks.push({ node: node.node.name, turn });
        return node.pods;
      },
    })),
  };
  return { snapshot, looks, end: () => clearImmediate(timer) };
}

it.each([
  ['the list of nodes', '/api/v1/nodes', []],
  ['one node', '/api/v1/nodes/n003', ['n003']],
  ['the first page of pods', '/api/v1/pods?limit=20', ['n000']],
  ['a later page of pods', `/api/v1/pods?limit=150&offset=${podsPerNode * 4 + 10}`, ['n004', 'n005']],
  ['the pods of a node', '/api/v1/pods?node=n007&search=p', ['n007']],
  ['the workloads', '/api/v1/workloads', []],
])('%s looks only at the pods it shows', async (_what, path, nodes) => {
  const { snapshot, looks, end } = watched(10);
  try {
    const api = await startApi(snapshot);
    expect((await api.get(path)).status).toBe(200);
    expect([...new Set(looks.map(({ node }) => node))]).toEqual(nodes);
  } finally {
    end();
  }
});

it('a page by cursor looks only at the pods it shows', async () => {
  const { snapshot, looks, end } = watched(10);
  try {
    const api = await startApi(snapshot);
    const { nextCursor } = (await api.get(`/api/v1/pods?limit=${podsPerNode * 3 + 1}`)).body as {
      nextCursor: string;
    };
    looks.length = 0;
    const page = (await api.get(`/api/v1/pods?limit=20&cursor=${nextCursor}`)).body;
    expect(page).toMatchObject({ total: 10 * podsPerNode });
    expect([...new Set(looks.map(({ node }) => node))]).toEqual(['n003']);
  } finally {
    end();
  }
});

it.each([
  ['a pod by name', '/api/v1/pods/default/p99-1'],
  ['pods by a part of the name', '/api/v1/pods?search=p99'],
])('%s is searched in parts, so that others are served meanwhile', async (_what, path) => {
  const { snapshot, looks, end } = watched(100);
  try {
    const api = await startApi(snapshot);
    expect((await api.get(path)).status).toBe(200);
    const inTurn = new Map<number, Set<string>>();
    for (const { node, turn } of looks) inTurn.set(turn, (inTurn.get(turn) ?? new Set()).add(node));
    expect(new Set(looks.map(({ node }) => node)).size).toBe(100);
    expect(Math.max(...[...inTurn.values()].map((nodes) => nodes.size))).toBeLessThanOrEqual(20);
  } finally {
    end();
  }
});
