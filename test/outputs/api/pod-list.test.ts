import { describe, expect, it } from 'vitest';
import type { PodList } from '../../../src/outputs/api/pod-list.ts';
import { nodeOf, podOf, snapshotOf } from '../../snapshot/sample-snapshot.ts';
import { type ApiServer, startApi } from './api-server.ts';

/** Three nodes of seven pods each, two of which are never evicted; the machines have 2000 bytes. */
const clusterWith = (workingSets: readonly (number | undefined)[]) =>
  snapshotOf(
    ['n1', 'n2', 'n3'].map((node, i) =>
      nodeOf({
        name: node,
        workingSetBytes: workingSets[i],
        pods: Array.from({ length: 7 }, (_, index) =>
          podOf({
            name: `${node}-pod-${index}`,
            node,
            usageBytes: index % 2 === 0 ? 300 : 100,
            isStatic: index === 0,
            priority: index === 1 ? 2_000_000_000 : 0,
          }),
        ),
      }),
    ),
  );
const snapshot = clusterWith([1500, 1500, 1500]);

const list = async (api: ApiServer, query: string) =>
  (await api.get(`/api/v1/pods?${query}`)).body as PodList;
const names = ({ pods }: PodList) => pods.map(({ pod }) => pod);

describe('GET /api/v1/pods', () => {
  it.each([
    ['node', [1500, 1500, 1500]],
    ['headroom', [1500, 1500, 1500]],
    ['headroom', [1500, undefined, 1600]],
  ])('gives by offset the rows that it gives by cursor, sort=%s, nodes that use %j', async (sort, uses) => {
    const api = await startApi(clusterWith(uses));
    const all = names(await list(api, `sort=${sort}&limit=1000`));
    expect(all).toHaveLength(21);
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: PodList = await list(
        api,
        `sort=${sort}&limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      byCursor.push(...names(page));
      cursor = page.nextCursor;
    }
    const byOffset: string[] = [];
    for (let offset = 0; offset < 21; offset += 4) {
      byOffset.push(...names(await list(api, `sort=${sort}&limit=4&offset=${offset}`)));
    }
    expect(byCursor).toEqual(all);
    expect(byOffset).toEqual(all);
  });

  it.each([
    ['', 21],
    ['node=n2', 7],
    ['group=exceeds_request', 9],
    ['group=protected', 6],
    ['search=pod-3', 3],
    ['search=N1-POD', 7],
    ['search=default/n3', 7],
    ['search=nobody', 0],
  ])('counts the pods that fit %s on all pages', async (query, total) => {
    const api = await startApi(snapshot);
    const page = await list(api, `${query}&limit=2`);
    expect(page.total).toBe(total);
    expect(page.pods).toHaveLength(Math.min(2, total));
  });

  it('has those that are never evicted last, node by node like the others', async () => {
    const api = await startApi(snapshot);
    const { pods } = await list(api, 'limit=1000');
    expect(pods.map(({ node, group }) => `${node} ${group === 'protected' ? 'never' : 'evictable'}`)).toEqual(
      [
        ...['n1', 'n2', 'n3'].flatMap((node) => Array<string>(5).fill(`${node} evictable`)),
        ...['n1', 'n2', 'n3'].flatMap((node) => Array<string>(2).fill(`${node} never`)),
      ],
    );
  });

  it('has the node with the least headroom first where that is asked for, and those of which it is not known last', async () => {
    const api = await startApi(clusterWith([1500, undefined, 1600]));
    const { pods } = await list(api, 'sort=headroom&group=exceeds_request');
    expect([...new Set(pods.map(({ node }) => node))]).toEqual(['n3', 'n1', 'n2']);
    expect(pods).toHaveLength(9);
  });

  it('goes on behind the pod of the cursor where a refresh has moved its node', async () => {
    const before = await startApi(clusterWith([1500, 1550, 1600]));
    const first = await list(before, 'sort=headroom&limit=7');
    expect([...new Set(first.pods.map(({ node }) => node))]).toEqual(['n3', 'n2']);
    const after = await startApi(clusterWith([1500, 1400, 1600]));
    const rest = await list(after, `sort=headroom&limit=100&cursor=${first.nextCursor}`);
    expect([...names(first), ...names(rest)]).toHaveLength(21);
    expect(new Set([...names(first), ...names(rest)])).toEqual(new Set(names(await list(after, ''))));
  });

  it.each([
    ['node', 1, 1],
    ['node', 4, 1],
    ['node', 4, 4],
    ['headroom', 9, 2],
    ['headroom', 9, 4],
  ])(
    'passes over no pod where those before it are evicted between two pages, sort=%s, limit=%i, %i evicted',
    async (sort, limit, count) => {
      const before = await startApi(snapshot);
      const first = await list(before, `sort=${sort}&limit=${limit}`);
      const evicted = names(first).slice(-count);
      const after = await startApi({
        ...snapshot,
        nodes: snapshot.nodes.map((node) => ({
          ...node,
          pods: node.pods.filter(({ pod }) => !evicted.includes(pod.name)),
        })),
      });
      const rest = await list(after, `sort=${sort}&limit=100&cursor=${first.nextCursor}`);
      const all = names(await list(before, `sort=${sort}&limit=100`));
      expect(new Set([...names(first), ...names(rest)])).toEqual(new Set(all));
      // At most the pods of one node come again.
      expect(names(first).length + names(rest).length).toBeLessThan(all.length + 7);
    },
  );

  it.each<[string, (cursor: string) => string, RegExp]>([
    ['of a list in another order', (cursor) => cursor, /of a list with sort=headroom, not sort=node/],
    ['that is cut', (cursor) => cursor.slice(0, -9), /not one that this API handed out/],
    ['of an earlier form', () => Buffer.from('[false,null,"n1","a","b"]').toString('base64url'), /not one/],
  ])('refuses a cursor %s', async (_name, change, reason) => {
    const api = await startApi(snapshot);
    const { nextCursor } = await list(api, 'sort=headroom&limit=2');
    const reply = await api.get(`/api/v1/pods?cursor=${change(nextCursor ?? '')}`);
    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(reason);
  });

  it('is empty past the end', async () => {
    const api = await startApi(snapshot);
    expect(await list(api, 'offset=21')).toMatchObject({ pods: [], nextCursor: null, total: 21 });
  });
});
